import { mailFact } from "./facts.tsx";
import { RoleTag } from "./role-tag.tsx";
import type { Column } from "./table.tsx";

type ListedUser = { id: number; name: string; email: string; role: string };

/** The columns that short lists of users begin with. */
export const userColumns: Column<ListedUser>[] = [
  {
    label: "Name",
    sort: "name",
    cell: ({ id, name }) => (
      <a className="main" href={`/users/view/${id}`}>
        {name}
      </a>
    ),
  },
  { label: "Email", cell: ({ email }) => mailFact(email) },
  { label: "Role", cell: ({ role }) => <RoleTag role={role} /> },
];

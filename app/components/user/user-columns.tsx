import { t } from "#lib/messages/staff.ts";
import { mailFact } from "../record/facts.tsx";
import { RoleTag } from "./role-tag.tsx";
import type { Column } from "../list/table.tsx";

type ListedUser = { id: number; name: string; email: string; role: string };

/** The columns that short lists of users begin with. */
export const userColumns: Column<ListedUser, "name">[] = [
  {
    label: t("common.name"),
    sort: "name",
    cell: ({ id, name }) => (
      <a className="main" translate="no" href={`/users/view/${id}`}>
        {name}
      </a>
    ),
  },
  { label: t("common.email"), cell: ({ email }) => mailFact(email) },
  { label: t("common.role"), cell: ({ role }) => <RoleTag role={role} /> },
];

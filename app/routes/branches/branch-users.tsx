import type { User } from "#provider/contract/users.ts";
import { Empty } from "../../components/empty.tsx";
import { ListRows } from "../../components/list-panel.tsx";
import { RowAction } from "../../components/row-action.tsx";
import type { Paged } from "../../components/pagination.tsx";
import type { Column } from "../../components/table.tsx";
import { userColumns } from "../../components/user-columns.tsx";

/** The users of a branch. */
export const BranchUsers = ({ part, mayEdit }: { part: Paged & { rows: User[] }; mayEdit: boolean }) => (
  <ListRows
    caption="Users"
    part={part}
    columns={columns(mayEdit)}
    emptyState={<Empty message="There are no users here that you can see." />}
  />
);

const columns = (mayEdit: boolean): Column<User>[] => [
  ...userColumns,
  {
    label: "Actions",
    className: "act",
    cell: ({ id, name }) => (
      <>
        {mayEdit && <RowAction to={`/users/edit/${id}`} verb="Edit" name={name} />}
        <RowAction to={`/users/view/${id}`} verb="Info" name={name} />
      </>
    ),
  },
];

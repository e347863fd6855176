import { t } from "#lib/messages/staff.ts";
import type { User } from "#provider/contract/users.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { Empty } from "../../components/list/empty.tsx";
import { ListRows } from "../../components/list/list-panel.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import type { Paged } from "../../components/list/pagination.tsx";
import type { Column } from "../../components/list/table.tsx";
import { userColumns } from "../../components/user/user-columns.tsx";

/** The users of a branch. */
export const BranchUsers = ({ part, mayEdit }: { part: Paged & { rows: User[] }; mayEdit: boolean }) => (
  <ListRows
    caption={t("common.users")}
    part={part}
    columns={columns(mayEdit)}
    emptyState={<Empty message={t("branches.branchUsers.none")} />}
  />
);

const columns = (mayEdit: boolean): Column<User, SortOf<"listBranchUsers">>[] => [
  ...userColumns,
  {
    label: t("common.actions"),
    className: "act",
    cell: ({ id, name }) => (
      <>
        {mayEdit && <RowAction to={`/users/edit/${id}`} verb={t("common.edit")} name={name} />}
        <RowAction to={`/users/view/${id}`} verb={t("common.info")} name={name} />
      </>
    ),
  },
];

import { t } from "#lib/messages/staff.ts";
import type { Branch } from "#provider/contract/branches.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { RowAction } from "../../components/list/row-action.tsx";
import type { ListColumn } from "../../components/list/table.tsx";

/** The columns of both lists of branches. */
export const branchColumns = (mayEdit: boolean): ListColumn<Branch, SortOf<"listBranches">>[] => [
  {
    label: t("common.name"),
    sort: "name",
    cell: ({ id, name }) => (
      <a className="main" translate="no" href={`/branches/view/${id}`}>
        {name}
      </a>
    ),
  },
  { label: t("common.country"), sort: "country", className: "first", cell: ({ country }) => country },
  { label: t("common.city"), sort: "city", cell: ({ city }) => city },
  {
    label: t("common.actions"),
    className: "act spare",
    cell: ({ id, name }) => (
      <>
        <RowAction to={`/branches/view/${id}`} verb={t("common.view")} name={name} />
        {mayEdit && <RowAction to={`/branches/edit/${id}`} verb={t("common.edit")} name={name} />}
      </>
    ),
  },
];

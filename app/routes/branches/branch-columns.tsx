import type { Branch } from "#provider/contract/branches.ts";
import { RowAction } from "../../components/row-action.tsx";
import type { Column } from "../../components/table.tsx";

/** The columns of both lists of branches. */
export const branchColumns = (mayEdit: boolean): Column<Branch>[] => [
  {
    label: "Name",
    sort: "name",
    cell: ({ id, name }) => (
      <a className="main" href={`/branches/view/${id}`}>
        {name}
      </a>
    ),
  },
  { label: "Country", sort: "country", cell: ({ country }) => country },
  { label: "City", sort: "city", cell: ({ city }) => city },
  {
    label: "Actions",
    className: "act",
    cell: ({ id, name }) => (
      <>
        <RowAction to={`/branches/view/${id}`} verb="View" name={name} />
        {mayEdit && <RowAction to={`/branches/edit/${id}`} verb="Edit" name={name} />}
      </>
    ),
  },
];

import type { Branch } from "#provider/contract/branches.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { columns, filterLabels } from "./filters.ts";

const csvColumns: CsvColumn<Branch>[] = [
  { label: "Name", value: ({ name }) => name },
  { label: "Email", value: ({ email }) => email },
  { label: "Phone", value: ({ phone }) => phone },
  { label: "Country", value: ({ country }) => country },
  { label: "City", value: ({ city }) => city },
  { label: "Index", value: ({ index }) => index },
  { label: "Address", value: ({ address }) => address },
  { label: "Manager", value: ({ manager }) => manager },
  // By which an import finds the branch again.
  { label: "ID", value: ({ id }) => id },
];

const route = csvRoute(({ context, url }) => ({
  name: "branches",
  columns: csvColumns,
  chunks: readAll(getProvider(context), "listBranches", parseListQuery(url, Object.keys(filterLabels), columns)),
}));

export const middleware = route.middleware;
export const loader = route.loader;

export default function BranchesCsv() {
  return null;
}

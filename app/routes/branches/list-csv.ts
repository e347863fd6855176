import { say } from "#lib/messages/staff.ts";
import type { Branch } from "#provider/contract/branches.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { filterNames } from "./filters.ts";

const csvColumns: CsvColumn<Branch>[] = [
  { label: say("common.name"), value: ({ name }) => name },
  { label: say("common.email"), value: ({ email }) => email },
  { label: say("common.phone"), value: ({ phone }) => phone },
  { label: say("common.country"), value: ({ country }) => country },
  { label: say("common.city"), value: ({ city }) => city },
  { label: say("common.index"), value: ({ index }) => index },
  { label: say("common.address"), value: ({ address }) => address },
  { label: say("common.manager"), value: ({ manager }) => manager },
  // By which an import finds the branch again.
  { label: "ID", value: ({ id }) => id },
];

const route = csvRoute(({ context, url }) => ({
  name: "branches",
  columns: csvColumns,
  chunks: readAll(getProvider(context), "listBranches", parseListQuery(url, "listBranches", filterNames)),
}));

export const middleware = route.middleware;
export const loader = route.loader;

export default function BranchesCsv() {
  return null;
}

import { t } from "#lib/messages/staff.ts";
import type { Branch } from "#provider/contract/branches.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { filterNames } from "./filters.ts";

const csvColumns: CsvColumn<Branch>[] = [
  { label: t("common.name"), value: ({ name }) => name },
  { label: t("common.email"), value: ({ email }) => email },
  { label: t("common.phone"), value: ({ phone }) => phone },
  { label: t("common.country"), value: ({ country }) => country },
  { label: t("common.city"), value: ({ city }) => city },
  { label: t("common.index"), value: ({ index }) => index },
  { label: t("common.address"), value: ({ address }) => address },
  { label: t("common.manager"), value: ({ manager }) => manager },
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

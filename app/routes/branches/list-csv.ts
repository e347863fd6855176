import { t } from "#lib/messages/staff.ts";
import type { Branch } from "#provider/contract/branches.ts";
import type { ColumnName } from "../../components/list/view-columns.ts";
import type { CsvColumn, CsvColumns } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { filterNames } from "./filters.ts";

const csvColumns: CsvColumn<Branch>[] = Object.values({
  name: { label: t("common.name"), value: ({ name }) => name },
  email: { label: t("common.email"), value: ({ email }) => email },
  phone: { label: t("common.phone"), value: ({ phone }) => phone },
  country: { label: t("common.country"), value: ({ country }) => country },
  city: { label: t("common.city"), value: ({ city }) => city },
  index: { label: t("common.index"), value: ({ index }) => index },
  address: { label: t("common.address"), value: ({ address }) => address },
  manager: { label: t("common.manager"), value: ({ manager }) => manager },
  // By which an import finds the branch again.
  id: { label: "ID", value: ({ id }) => id },
} satisfies CsvColumns<Branch, ColumnName<"branches">>);

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

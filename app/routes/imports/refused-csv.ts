import { t } from "#lib/messages/staff.ts";
import type { ImportRow } from "#provider/contract/imports.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { parseListQuery, readAll } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { requireOffer } from "../../server/sessions/current-user.ts";

const why = t("common.why");

/** The refused rows as they were in the file, to be corrected and imported again, each with its reason. */
const route = csvRoute<ImportRow>(async ({ context, url, params: { id = "" } }) => {
  requireOffer(context, "imports");
  const provider = getProvider(context);
  const { kind, columns } = await provider.getImport({ params: { id } });
  const importedColumns = columns.map((label, at): CsvColumn<ImportRow> => ({
    label,
    value: ({ cells }) => cells[at] ?? "",
  }));
  return {
    name: `refused-${kind}`,
    // A corrected file has the reasons of before.
    columns: [
      ...importedColumns.filter(({ label }) => label.toLowerCase() !== why.toLowerCase()),
      { label: why, value: (row) => row.why },
    ],
    chunks: readAll(provider, "listImportRows", parseListQuery(url, "listImportRows"), {
      params: { id },
      fixedFilters: { state: "refused" },
    }),
  };
});

export const middleware = route.middleware;
export const loader = route.loader;

export default function RefusedCsv() {
  return null;
}

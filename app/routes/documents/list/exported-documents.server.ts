import type { DocumentRow } from "#provider/contract/documents.ts";
import { customNames } from "../../../components/list/view-columns.ts";
import type { CsvColumn } from "../../../server/lists/csv.ts";
import { selectedOr } from "../../../server/lists/selection.ts";
import { viewsOf } from "../../../server/lists/views.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { csvColumns } from "./csv-columns.server.ts";
import { customValue } from "../custom-columns.server.ts";
import { readAllDocuments } from "./read-documents.server.ts";

/** A list's documents as a file, with the custom fields of the view that the address names. */
export async function exportedDocuments(context: Context, url: URL, list: "documents" | "archive") {
  // An export without filters is of all rows, whatever the list opens with.
  const { open } = url.searchParams.size > 0 ? await viewsOf(context, url, list) : { open: undefined };
  const custom = customNames(open?.columns ?? []).map((name): CsvColumn<DocumentRow> => ({
    label: name,
    value: (row) => customValue(row, name),
  }));
  const chunks = selectedOr(
    url,
    (id) => getProvider(context).getDocument({ params: { id } }),
    () => readAllDocuments(context, url, list, open?.columns ?? []),
  );
  return { name: list, columns: [...csvColumns, ...custom], chunks };
}

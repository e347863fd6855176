import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { getProvider } from "../../server/provider/context.ts";
import { csvColumns } from "./csv-columns.server.ts";
import { readAllDocuments } from "./read-documents.server.ts";

const route = csvRoute(({ context, url }) => ({
  name: "documents",
  columns: csvColumns,
  chunks: selectedOr(
    url,
    (id) => getProvider(context).getDocument({ params: { id } }),
    () => readAllDocuments(context, url, "active,exited"),
  ),
}));

export const middleware = route.middleware;
export const loader = route.loader;

export default function DocumentsCsv() {
  return null;
}

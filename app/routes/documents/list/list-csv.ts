import { csvRoute } from "../../../server/lists/export.ts";
import { exportedDocuments } from "./exported-documents.server.ts";

const route = csvRoute(({ context, url }) => exportedDocuments(context, url, "documents"));

export const middleware = route.middleware;
export const loader = route.loader;

export default function DocumentsCsv() {
  return null;
}

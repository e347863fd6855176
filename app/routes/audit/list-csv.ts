import type { AuditEntry } from "#provider/contract/audit.ts";
import { capital, changesInWords } from "../../components/audit-words.ts";
import { showInstant } from "../../components/format.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { parseAuditQuery } from "./read-audit.server.ts";

const columns = (timeZone: string): CsvColumn<AuditEntry>[] => [
  { label: "Date", value: ({ at }) => showInstant(at, timeZone) },
  { label: "Who", value: ({ actor }) => actor },
  { label: "What", value: ({ action }) => capital(action) },
  { label: "Record", value: ({ entity_name }) => entity_name },
  { label: "Kind", value: ({ entity }) => capital(entity) },
  { label: "Changes", value: inLines },
  { label: "Trail", value: ({ trail }) => capital(trail) },
  { label: "Times", value: ({ count }) => count },
  { label: "First", value: ({ first_at }) => (first_at ? showInstant(first_at, timeZone) : "") },
  { label: "Browser", value: ({ browser }) => browser },
  { label: "Network", value: ({ network }) => network },
  { label: "API key", value: ({ api_key }) => api_key },
];

/** One change a line: `City: Preston → Leeds`. */
const inLines = (entry: AuditEntry) =>
  changesInWords(entry)
    .map(({ label, before, after }) => `${label}: ${before === undefined ? "" : `${before || "–"} → `}${after || "–"}`)
    .join("\n");

const route = csvRoute(({ context, url }) => {
  const { query, timeZone, options } = parseAuditQuery(context, url);
  const chunks = readAll(getProvider(context), "listAudit", query, options);
  return { name: "audit-trail", columns: columns(timeZone), chunks };
});

export const middleware = route.middleware;
export const loader = route.loader;

export default function AuditCsv() {
  return null;
}

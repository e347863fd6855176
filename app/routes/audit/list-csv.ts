import { t } from "#lib/messages/staff.ts";
import type { AuditEntry } from "#provider/contract/audit.ts";
import { actionInWords, entityInWords, trailInWords } from "../../components/record/audit-actions.server.ts";
import { changesInWords } from "../../components/record/audit-words.server.ts";
import { showInstant } from "../../components/text/format.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { parseAuditQuery } from "./read-audit.server.ts";

const columns = (timeZone: string): CsvColumn<AuditEntry>[] => [
  { label: t("common.date"), value: ({ at }) => showInstant(at, timeZone) },
  { label: t("common.who"), value: ({ actor }) => actor },
  { label: t("common.what"), value: ({ action }) => actionInWords(action) },
  { label: t("common.record"), value: ({ entity_name }) => entity_name },
  { label: t("common.kind"), value: ({ entity }) => entityInWords(entity) },
  { label: t("common.changes"), value: inLines },
  { label: t("audit.readAudit.trail"), value: ({ trail }) => trailInWords(trail) },
  { label: t("components.viewColumns.times"), value: ({ count }) => count },
  { label: t("audit.listCsv.first"), value: ({ first_at }) => (first_at ? showInstant(first_at, timeZone) : "") },
  { label: t("audit.listCsv.browser"), value: ({ browser }) => browser },
  { label: t("audit.listCsv.network"), value: ({ network }) => network },
  { label: t("common.apiKey"), value: ({ api_key }) => api_key },
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

import { say } from "#lib/messages/staff.ts";
import type { Scan } from "#provider/contract/scans.ts";
import { showInstant } from "../../components/text/format.ts";
import { qualityLabel } from "../../components/scan/place-quality.tsx";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { kindLabel } from "./columns.tsx";
import { parseScanQuery } from "./read-scans.server.ts";

const columns = (timeZone: string): CsvColumn<Scan>[] => [
  { label: say("common.documentNumber"), value: ({ number }) => number },
  { label: say("common.scanned"), value: ({ at }) => showInstant(at, timeZone) },
  { label: say("common.branch"), value: ({ branch }) => branch },
  { label: say("common.index"), value: ({ index }) => index },
  { label: say("map.listCsv.latitude"), value: ({ latitude }) => latitude ?? "" },
  { label: say("map.listCsv.longitude"), value: ({ longitude }) => longitude ?? "" },
  { label: say("map.listCsv.accuracyInMetres"), value: ({ accuracy }) => accuracy ?? "" },
  { label: say("map.listCsv.townOrPostCode"), value: ({ place }) => place },
  { label: say("map.listCsv.placeIs"), value: ({ place_quality }) => qualityLabel(place_quality) },
  { label: say("common.kind"), value: kindLabel },
  { label: say("common.copy"), value: ({ copy }) => copy ?? "" },
];

const route = csvRoute(({ context, url }) => {
  const { query, timeZone } = parseScanQuery(context, url);
  return { name: "scans", columns: columns(timeZone), chunks: readAll(getProvider(context), "listScans", query) };
});

export const middleware = route.middleware;
export const loader = route.loader;

export default function ScansCsv() {
  return null;
}

import { t } from "#lib/messages/staff.ts";
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
  { label: t("common.documentNumber"), value: ({ number }) => number },
  { label: t("common.scanned"), value: ({ at }) => showInstant(at, timeZone) },
  { label: t("common.branch"), value: ({ branch }) => branch },
  { label: t("common.index"), value: ({ index }) => index },
  { label: t("map.listCsv.latitude"), value: ({ latitude }) => latitude ?? "" },
  { label: t("map.listCsv.longitude"), value: ({ longitude }) => longitude ?? "" },
  { label: t("map.listCsv.accuracyInMetres"), value: ({ accuracy }) => accuracy ?? "" },
  { label: t("map.listCsv.townOrPostCode"), value: ({ place }) => place },
  { label: t("map.listCsv.placeIs"), value: ({ place_quality }) => qualityLabel(place_quality) },
  { label: t("common.kind"), value: kindLabel },
  { label: t("common.copy"), value: ({ copy }) => copy ?? "" },
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

import type { Scan } from "#provider/contract/scans.ts";
import { showInstant } from "../../components/format.ts";
import { qualityLabel } from "../../components/place-quality.tsx";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { readAll } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { kindLabel } from "./columns.tsx";
import { parseScanQuery } from "./read-scans.server.ts";

const columns = (timeZone: string): CsvColumn<Scan>[] => [
  { label: "Document number", value: ({ number }) => number },
  { label: "Scanned", value: ({ at }) => showInstant(at, timeZone) },
  { label: "Branch", value: ({ branch }) => branch },
  { label: "Index", value: ({ index }) => index },
  { label: "Latitude", value: ({ latitude }) => latitude ?? "" },
  { label: "Longitude", value: ({ longitude }) => longitude ?? "" },
  { label: "Accuracy in metres", value: ({ accuracy }) => accuracy ?? "" },
  { label: "Town or post code", value: ({ place }) => place },
  { label: "Place is", value: ({ place_quality }) => qualityLabel(place_quality) },
  { label: "Kind", value: kindLabel },
  { label: "Copy", value: ({ copy }) => copy ?? "" },
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

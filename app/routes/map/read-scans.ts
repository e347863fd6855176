import type { RouterContextProvider } from "react-router";
import { scanPlaces } from "#provider/contract/scans.ts";
import { getUser, mustBeAllowed, timeZoneOf } from "../../server/sessions/current-user.ts";
import { readWish } from "../../server/lists/lists.ts";

/** The list query of the page, its map and the export. */
export function parseScanQuery(context: Readonly<RouterContextProvider>, url: URL) {
  mustBeAllowed(context, "map", "read", "see the map");
  const query = readWish(url, ["number", "date_from", "date_to", "index", "branch", "bbox"], ["at"]);
  // An invalid bbox is ignored.
  const { data: bbox } = scanPlaces.query.shape.bbox.safeParse(query.filters.bbox);
  if (!bbox) delete query.filters.bbox;
  const kinds = url.searchParams.getAll("kind").filter((kind) => ["scans", "suspicions"].includes(kind));
  if (kinds.length === 1) query.filters.kind = kinds[0]!;
  return { query, bbox, timeZone: timeZoneOf(getUser(context)) };
}

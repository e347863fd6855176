import { t } from "#lib/messages/staff.ts";
import { scanPlaces } from "#provider/contract/scans.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getUser, requireRight, timeZoneOf } from "../../server/sessions/current-user.ts";
import { parseListQuery } from "../../server/lists/lists.ts";

/** Parses the scan query, for the page, its map and the export. */
export function parseScanQuery(context: Context, url: URL) {
  requireRight(context, "map", "read", t("map.rights.seeTheMap"));
  const query = parseListQuery(url, "listScans", ["number", "date_from", "date_to", "index", "branch", "bbox"]);
  // An invalid bbox is ignored.
  const { data: bbox } = scanPlaces.query.shape.bbox.safeParse(query.filters.bbox);
  if (!bbox) delete query.filters.bbox;
  const requestedKinds = url.searchParams.getAll("kind");
  const kinds = ["scans", "suspicions"].filter((kind) => requestedKinds.includes(kind));
  // The boxes are sent with `kind_chosen`; an address without it shows both.
  const isNone = kinds.length === 0 && url.searchParams.has("kind_chosen");
  if (kinds.length === 1) query.filters.kind = kinds[0]!;
  if (isNone) query.filters.kind = "none";
  return { query, bbox, isNone, timeZone: timeZoneOf(getUser(context)) };
}

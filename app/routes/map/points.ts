import { t } from "#lib/messages/staff.ts";
import type { ScanPoint } from "#provider/contract/scans.ts";
import type { MapPoint, MapPoints } from "../../components/map/map-points.ts";
import { showInstant } from "../../components/text/format.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { withTowns } from "../../server/map/towns.ts";
import type { Route } from "./+types/points";
import { kindLabel } from "./columns.tsx";
import { parseScanQuery } from "./read-scans.server.ts";

/** The scans on the map that can be moved, for its script. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { query, timeZone } = parseScanQuery(context, url);
  const { points, cells } = await getProvider(context).scanPlaces({ query: query.filters });
  const mayOpen = may(getUser(context), "docs", "read");
  const located = await withTowns(points);
  return Response.json({ points: located.map((scan) => toPoint(scan, timeZone, mayOpen)), cells } satisfies MapPoints);
}

function toPoint(scan: ScanPoint & { town: string }, timeZone: string, mayOpen: boolean): MapPoint {
  const { latitude, longitude, accuracy, suspicion, number, at, branch, document_id, alert_id, place_quality, copy } =
    scan;
  const links = [];
  if (mayOpen) links.push({ to: `/documents/${document_id}`, label: t("common.document") });
  if (alert_id) links.push({ to: `/alerts/${alert_id}`, label: t("common.alert") });
  return {
    latitude: latitude!,
    longitude: longitude!,
    accuracy,
    suspicion,
    title: copy === null ? number : t("map.points.numberAndCopy", { number, copy }),
    text: [
      kindLabel(scan),
      showInstant(at, timeZone),
      scan.town,
      branch,
      place_quality === "doubtful" && t("map.points.doubtfulPlace"),
    ]
      .filter(Boolean)
      .join(", "),
    links,
  };
}

import { boundsOf } from "#lib/bounds.ts";
import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { alertInWords } from "../../components/scan/alert-words.ts";
import { drawMap } from "../../server/map/map-projection.ts";
import { tiles } from "../../server/map/tiles.ts";

/** Why an alert has no map, in words. */
export function whyNoMap(isForged: boolean, places: string[]) {
  if (isForged) return t("alerts.alertMap.neverIssued");
  if (places.length > 0) return t("alerts.alertMap.placeTyped");
  return t("alerts.alertMap.noPosition");
}

/** A map of where it was scanned, if that was shared: of impossible travel both places. */
export async function mapOf({ latitude, longitude, accuracy, alert, document, other_places }: Alert) {
  const own = latitude === null || longitude === null ? [] : [{ latitude, longitude, accuracy }];
  const places = [...own, ...other_places];
  const bounds = boundsOf(places);
  if (!bounds) return undefined;
  const marks = places.map(({ latitude, longitude, accuracy }) => {
    // A circle of kilometres round one of several says nothing at the scale of all.
    const radius = places.length === 1 ? accuracy : null;
    return { latitude, longitude, accuracy: radius, scans: 1, suspicions: 1 };
  });
  const title = alertInWords(alert);
  const points = places.map((place) => ({ ...place, suspicion: true, title, text: document, links: [] }));
  return { drawing: await drawMap(marks, bounds), bounds, tiles: tiles(), points: { points, cells: [] } };
}

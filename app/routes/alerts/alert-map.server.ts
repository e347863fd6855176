import { say } from "#messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { alertInWords } from "../../components/alert-words.ts";
import { drawMap } from "../../server/map/map-projection.ts";
import { tiles } from "../../server/map/tiles.ts";

/** Why an alert has no map, in words. */
export function whyNoMap(isForged: boolean, places: string[]) {
  if (isForged) return say("alerts.alertMap.neverIssued");
  if (places.length > 0) return say("alerts.alertMap.placeTyped");
  return say("alerts.alertMap.noPosition");
}

/** A map of where it was scanned, if that was shared. */
export async function mapOf({ latitude, longitude, accuracy, alert, document }: Alert) {
  if (latitude === null || longitude === null) return undefined;
  const bounds = { west: longitude, south: latitude, east: longitude, north: latitude };
  const mark = { latitude, longitude, accuracy, scans: 1, suspicions: 1 };
  const point = {
    latitude,
    longitude,
    accuracy,
    suspicion: true,
    title: alertInWords(alert),
    text: document,
    links: [],
  };
  return { drawing: await drawMap([mark], bounds), bounds, tiles: tiles(), points: { points: [point], cells: [] } };
}

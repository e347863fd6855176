import Supercluster from "supercluster";
import type { MapPoint } from "./map-points.ts";

/** The map's nearest zoom: points that overlap even there are listed in a popup. */
export const maxZoom = 18;

type Single = { point: MapPoint; suspicions: number };
export type Clusters = Supercluster<Single, { suspicions: number }>;

/** An index of points by zoom: those that would overlap are one cluster. */
export function clustersOf(points: MapPoint[]): Clusters {
  const clusters: Clusters = new Supercluster({
    radius: 50,
    extent: 256,
    maxZoom,
    map: ({ suspicions }) => ({ suspicions }),
    reduce: (cluster, point) => void (cluster.suspicions += point.suspicions),
  });
  return clusters.load(
    points.map((point) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: [point.longitude, point.latitude] },
      properties: { point, suspicions: point.suspicion ? 1 : 0 },
    })),
  );
}

import Supercluster from "supercluster";
import { unionOf } from "./bounds.ts";
import type { MapCell, MapPoint } from "./map-points.ts";

/** The map's nearest zoom: points that overlap even there are listed in a popup. */
export const maxZoom = 18;

/** What a sign stands for; `point` is set for a scan by itself. */
type Counted = Pick<MapCell, "scans" | "suspicions" | "bounds"> & { point?: MapPoint };
export type Clusters = Supercluster<Counted, Counted>;

/** An index of points and cells by zoom: those whose signs would overlap are one cluster. */
export function clustersOf(points: MapPoint[], cells: MapCell[]): Clusters {
  const clusters: Clusters = new Supercluster({
    // More than the widest sign, because clusters move to the middle of what they gather.
    radius: 72,
    extent: 256,
    maxZoom,
    map: ({ scans, suspicions, bounds }) => ({ scans, suspicions, bounds }),
    reduce(cluster, { scans, suspicions, bounds }) {
      cluster.scans += scans;
      cluster.suspicions += suspicions;
      cluster.bounds = unionOf(cluster.bounds, bounds);
    },
  });
  const counted = points.map((point) => {
    const { latitude: north, longitude: east, suspicion } = point;
    const bounds = { west: east, south: north, east, north };
    return { at: point, properties: { point, scans: 1, suspicions: suspicion ? 1 : 0, bounds } };
  });
  return clusters.load(
    [...counted, ...cells.map((cell) => ({ at: cell, properties: cell }))].map(({ at, properties }) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: [at.longitude, at.latitude] },
      properties,
    })),
  );
}

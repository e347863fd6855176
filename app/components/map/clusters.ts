import Supercluster from "supercluster";
import { type Bounds, boundsOf, eastOf, nearestTo, unionOf } from "#lib/bounds.ts";
import type { GeoPoint, MapCell, MapPoint } from "./map-points.ts";

/** The map's nearest zoom: points that overlap even there are listed in a popup. */
export const maxZoom = 18;

/** What a sign stands for; `point` is set for a scan by itself. */
type Counted = Pick<MapCell, "scans" | "suspicions" | "bounds"> & { point?: MapPoint };
type Index = Supercluster<Counted, Counted>;
type Cluster = ReturnType<Index["getClusters"]>[number];

/** An index of points and cells by zoom: those whose signs would overlap are one cluster. */
export class Clusters {
  private readonly index: Index = new Supercluster({
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
  /** The index joins nothing across its edge, which is therefore where the widest gap ends. */
  private readonly edge: number;

  constructor(points: MapPoint[], cells: MapCell[]) {
    const counted = points.map((point) => {
      const { latitude: north, longitude: east, suspicion } = point;
      const bounds = { west: east, south: north, east, north };
      return { at: point, properties: { point, scans: 1, suspicions: suspicion ? 1 : 0, bounds } };
    });
    const all: { at: GeoPoint; properties: Counted }[] = [...counted, ...cells.map((at) => ({ at, properties: at }))];
    const around = all.map(({ at }) => ({ ...at, longitude: nearestTo(0, at.longitude) }));
    const edge = boundsOf(around)?.west ?? -180;
    this.edge = edge;
    this.index.load(
      all.map(({ at, properties }, n) => {
        const longitude = eastOf(edge, around[n]!.longitude);
        const bounds = moved(properties.bounds, longitude - at.longitude);
        const coordinates = [longitude - edge - 180, at.latitude];
        return { type: "Feature", geometry: { type: "Point", coordinates }, properties: { ...properties, bounds } };
      }),
    );
  }

  /** The clusters within west, south, east, north, each at the turn of the world that is nearest to their middle. */
  within([west, south, east, north]: [number, number, number, number], zoom: number): Cluster[] {
    const shift = this.edge + 180;
    return this.index.getClusters([west - shift, south, east - shift, north], zoom).map((cluster) => {
      const [x, latitude] = cluster.geometry.coordinates as [number, number];
      const longitude = nearestTo((west + east) / 2, x + shift);
      const bounds = moved(cluster.properties.bounds, longitude - x - shift);
      const geometry = { ...cluster.geometry, coordinates: [longitude, latitude] };
      return { ...cluster, geometry, properties: { ...cluster.properties, bounds } } as Cluster;
    });
  }

  expansionZoom(id: number) {
    return this.index.getClusterExpansionZoom(id);
  }

  /** At most `limit` of the points in a cluster. */
  pointsOf(id: number, limit: number): MapPoint[] {
    return this.index.getLeaves(id, limit).flatMap(({ properties }) => properties.point ?? []);
  }
}

/** By whole turns of the world, but for what floating point leaves of other numbers. */
function moved(bounds: Bounds, degrees: number): Bounds {
  const turns = Math.round(degrees / 360) * 360;
  return { ...bounds, west: bounds.west + turns, east: bounds.east + turns };
}

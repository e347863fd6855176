import { fitBounds } from "@math.gl/web-mercator";
import Supercluster from "supercluster";
import type { Bounds, ScanPlaces } from "../contract/scans.ts";

/** In degrees. */
export type GeoPoint = { latitude: number; longitude: number; suspicion: boolean };
type Cell = ScanPlaces["cells"][number];

/** The smallest bounds with all points; null without points. */
export function boundsOf(points: Omit<GeoPoint, "suspicion">[]): Bounds | null {
  return points.map(around).reduce<Bounds | null>((all, one) => (all ? union(all, one) : one), null);
}

const around = ({ latitude, longitude }: Omit<GeoPoint, "suspicion">): Bounds => ({
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude,
});

const union = (a: Bounds, b: Bounds): Bounds => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
});

/** Pixels between points that are shown apart on a map of this size. */
const radius = 64;
const map = { width: 800, height: 540 };

/** Clusters of the points on a map that is fitted to `bounds`, each at the mean of its points. */
export function cellsOf(points: GeoPoint[], { west, south, east, north }: Bounds): Cell[] {
  const corners: [[number, number], [number, number]] = [
    [west, south],
    [east, north],
  ];
  // Supercluster and this library both count zoom from a world of 512 pixels.
  const zoom = Math.max(Math.floor(fitBounds({ ...map, bounds: corners, maxZoom: 16 }).zoom), 0);
  const clusters = new Supercluster<ClusterCounts, ClusterCounts>({
    radius,
    minZoom: zoom,
    maxZoom: zoom,
    map: (counted) => counted,
    reduce: (cluster, point) => {
      cluster.suspicions += point.suspicions;
      cluster.bounds = union(cluster.bounds, point.bounds);
    },
  });
  clusters.load(points.map(asFeature));
  return clusters.getClusters([-180, -90, 180, 90], zoom).map(({ geometry, properties }) => {
    const [longitude, latitude] = geometry.coordinates.map((degrees) => Number(degrees.toFixed(5)));
    const { suspicions, bounds } = properties;
    const scans = "point_count" in properties ? properties.point_count : 1;
    return { latitude: latitude!, longitude: longitude!, scans, suspicions, bounds };
  });
}

type ClusterCounts = { suspicions: number; bounds: Bounds };

const asFeature = (point: GeoPoint) => ({
  type: "Feature" as const,
  geometry: { type: "Point" as const, coordinates: [point.longitude, point.latitude] },
  properties: { suspicions: point.suspicion ? 1 : 0, bounds: around(point) },
});

import Supercluster from "supercluster";
import type { Bounds, ScanPlaces } from "../contract/scans.ts";

/** Clusters of scans for a map. Positions are in degrees. */

export type GeoPoint = { latitude: number; longitude: number; suspicion: boolean };
type Cell = ScanPlaces["cells"][number];

/** The bounds of points; null without points. */
export function boundsOf(places: Omit<GeoPoint, "suspicion">[]): Bounds | null {
  return places.map(pointBounds).reduce<Bounds | null>((all, one) => (all ? union(all, one) : one), null);
}

const pointBounds = ({ latitude, longitude }: Omit<GeoPoint, "suspicion">): Bounds => ({
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

/** Points nearer than `radius` form one cluster, on a map of this size. Pixels. */
const radius = 64;
const map = { width: 800, height: 540 };

/** The clusters of points on a map that shows `within`, each at the average of its points. */
export function cellsOf(places: GeoPoint[], within: Bounds): Cell[] {
  const zoom = zoomFor(within);
  const clusters = new Supercluster<ClusterCounts, ClusterCounts>({
    radius,
    minZoom: zoom,
    maxZoom: zoom,
    map: (counted) => counted,
    reduce: (all, one) => {
      all.suspicions += one.suspicions;
      all.bounds = union(all.bounds, one.bounds);
    },
  });
  clusters.load(places.map(asFeature));
  return clusters.getClusters([-180, -90, 180, 90], zoom).map(({ geometry, properties }) => {
    const [longitude, latitude] = geometry.coordinates.map((degrees) => Number(degrees.toFixed(5)));
    const { suspicions, bounds } = properties;
    const scans = "point_count" in properties ? properties.point_count : 1;
    return { latitude: latitude!, longitude: longitude!, scans, suspicions, bounds };
  });
}

type ClusterCounts = { suspicions: number; bounds: Bounds };

const asFeature = (place: GeoPoint) => ({
  type: "Feature" as const,
  geometry: { type: "Point" as const, coordinates: [place.longitude, place.latitude] },
  properties: { suspicions: place.suspicion ? 1 : 0, bounds: pointBounds(place) },
});

/** The world is 512 pixels wide at zoom 0. */
function zoomFor({ west, south, east, north }: Bounds) {
  const perDegree = Math.min(
    map.width / Math.max(east - west, 0.001),
    // Web Mercator stretches degrees of latitude away from the equator.
    (map.height / Math.max(north - south, 0.001)) * Math.max(Math.cos(((south + north) * Math.PI) / 360), 0.1),
  );
  return Math.min(Math.max(Math.floor(Math.log2((perDegree * 360) / 512)), 0), 16);
}

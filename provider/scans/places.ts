import { fitBounds, lngLatToWorld } from "@math.gl/web-mercator";
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

/** Pixels between cells that are shown apart on a map of this size. */
const radius = 64;
const map = { width: 800, height: 540 };
/** Pixels of the squares whose points are counted first: for Supercluster they are one. */
const square = 8;

/** Clusters of the points on a map that is fitted to `bounds`, each at the mean of its points. */
export function cellsOf(points: GeoPoint[], { west, south, east, north }: Bounds): Cell[] {
  const corners: [[number, number], [number, number]] = [
    [west, south],
    [east, north],
  ];
  // Supercluster and this library both count zoom from a world of 512 pixels.
  const zoom = Math.max(Math.floor(fitBounds({ ...map, bounds: corners, maxZoom: 16 }).zoom), 0);
  const clusters = new Supercluster<Counted, Counted>({
    radius,
    minZoom: zoom,
    maxZoom: zoom,
    map: (counted) => counted,
    reduce: (cluster, more) => void Object.assign(cluster, joined(cluster, more)),
  });
  clusters.load(countedBySquares(points, zoom).map(asFeature));
  return clusters.getClusters([-180, -90, 180, 90], zoom).map(({ properties }) => asCell(properties));
}

/** Points that are counted together. */
type Counted = { scans: number; suspicions: number; latitudes: number; longitudes: number; bounds: Bounds };

/** The points by squares of the map: clusters of 20,000 single ones take 40 ms. */
function countedBySquares(points: GeoPoint[], zoom: number): Counted[] {
  const squares = 2 ** zoom / square;
  const squareOf = ({ latitude, longitude }: GeoPoint) => {
    const [x, y] = lngLatToWorld([longitude, latitude]);
    return `${Math.floor(x * squares)} ${Math.floor(y * squares)}`;
  };
  return [...Map.groupBy(points, squareOf).values()].map((near) => near.map(asCounted).reduce(joined));
}

const asCounted = (point: GeoPoint): Counted => ({
  scans: 1,
  suspicions: point.suspicion ? 1 : 0,
  latitudes: point.latitude,
  longitudes: point.longitude,
  bounds: around(point),
});

const joined = (a: Counted, b: Counted): Counted => ({
  scans: a.scans + b.scans,
  suspicions: a.suspicions + b.suspicions,
  latitudes: a.latitudes + b.latitudes,
  longitudes: a.longitudes + b.longitudes,
  bounds: union(a.bounds, b.bounds),
});

const meanOf = ({ scans, latitudes, longitudes }: Counted) => [longitudes / scans, latitudes / scans] as const;

const asFeature = (counted: Counted) => ({
  type: "Feature" as const,
  geometry: { type: "Point" as const, coordinates: [...meanOf(counted)] },
  properties: counted,
});

function asCell(counted: Counted): Cell {
  const { scans, suspicions, bounds } = counted;
  const [longitude, latitude] = meanOf(counted).map((degrees) => Number(degrees.toFixed(5)));
  return { latitude: latitude!, longitude: longitude!, scans, suspicions, bounds };
}

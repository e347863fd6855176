import { fitBounds, lngLatToWorld } from "@math.gl/web-mercator";
import Supercluster from "supercluster";
import { nextTurn } from "#turns";
import type { Bounds, ScanPlaces } from "../contract/scans.ts";

/** In degrees. */
export type GeoPoint = { latitude: number; longitude: number; suspicion: boolean };
type Cell = ScanPlaces["cells"][number];

type Position = Pick<GeoPoint, "latitude" | "longitude">;

/** Many points, as numbers alone: to move 20,000 objects that live for a request stops everything for 50 ms. */
export class Places implements Iterable<GeoPoint> {
  length = 0;
  private readonly latitudes: Float64Array;
  private readonly longitudes: Float64Array;
  private readonly suspicions: Uint8Array;

  constructor(capacity: number) {
    this.latitudes = new Float64Array(capacity);
    this.longitudes = new Float64Array(capacity);
    this.suspicions = new Uint8Array(capacity);
  }

  /** Beyond the capacity, none is added. */
  add({ latitude, longitude, suspicion }: GeoPoint) {
    if (this.length === this.suspicions.length) return;
    const n = this.length++;
    this.latitudes[n] = latitude;
    this.longitudes[n] = longitude;
    this.suspicions[n] = suspicion ? 1 : 0;
  }

  *[Symbol.iterator]() {
    for (let n = 0; n < this.length; n++)
      yield { latitude: this.latitudes[n]!, longitude: this.longitudes[n]!, suspicion: this.suspicions[n] === 1 };
  }
}

/** The smallest bounds with all points; null without points. */
export function boundsOf(points: Iterable<Position>): Bounds | null {
  const bounds = nowhere();
  for (const point of points) extend(bounds, point);
  return bounds.west > bounds.east ? null : bounds;
}

const nowhere = (): Bounds => ({ west: Infinity, south: Infinity, east: -Infinity, north: -Infinity });

function extend(bounds: Bounds, { latitude, longitude }: Position) {
  bounds.west = Math.min(bounds.west, longitude);
  bounds.south = Math.min(bounds.south, latitude);
  bounds.east = Math.max(bounds.east, longitude);
  bounds.north = Math.max(bounds.north, latitude);
}

/** Pixels between cells that are shown apart on a map of this size. */
const radius = 64;
const map = { width: 800, height: 540 };
/** Pixels of the squares whose points are counted first: for Supercluster they are one. */
const square = 8;

/** How many points are counted in one turn of the event loop: 1 ms, and some 7 ms for the first map after a start. */
const pointsPerTurn = 4000;

/** Clusters of the points on a map that is fitted to `bounds`, each at the mean of its points. */
export async function cellsOf(points: Iterable<GeoPoint>, { west, south, east, north }: Bounds): Promise<Cell[]> {
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
  const counted = await countedBySquares(points, zoom);
  clusters.load(counted.map(asFeature));
  return clusters.getClusters([-180, -90, 180, 90], zoom).map(({ properties }) => asCell(properties));
}

/** Points that are counted together. */
type Counted = { scans: number; suspicions: number; latitudes: number; longitudes: number; bounds: Bounds };

/** The points by squares of the map: clusters of 20,000 single ones take 30 ms. */
async function countedBySquares(points: Iterable<GeoPoint>, zoom: number): Promise<Counted[]> {
  const squares = new Map<string, Counted>();
  const scale = 2 ** zoom / square;
  let n = 0;
  for (const point of points) {
    const [x, y] = lngLatToWorld([point.longitude, point.latitude]);
    const key = `${Math.floor(x * scale)} ${Math.floor(y * scale)}`;
    const counted = squares.get(key) ?? { scans: 0, suspicions: 0, latitudes: 0, longitudes: 0, bounds: nowhere() };
    counted.scans += 1;
    counted.suspicions += point.suspicion ? 1 : 0;
    counted.latitudes += point.latitude;
    counted.longitudes += point.longitude;
    extend(counted.bounds, point);
    squares.set(key, counted);
    if (++n % pointsPerTurn === 0) await nextTurn();
  }
  return [...squares.values()];
}

const joined = (a: Counted, b: Counted): Counted => ({
  scans: a.scans + b.scans,
  suspicions: a.suspicions + b.suspicions,
  latitudes: a.latitudes + b.latitudes,
  longitudes: a.longitudes + b.longitudes,
  bounds: boundsOf([...cornersOf(a.bounds), ...cornersOf(b.bounds)])!,
});

const cornersOf = ({ west, south, east, north }: Bounds): Position[] => [
  { latitude: south, longitude: west },
  { latitude: north, longitude: east },
];

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

import { setImmediate } from "node:timers/promises";
import { fitBounds, lngLatToWorld } from "@math.gl/web-mercator";
import Supercluster from "supercluster";
import { type Bounds, eastOf, unionOf } from "#lib/bounds.ts";
import type { ScanPlaces } from "../contract/scans.ts";

/** In degrees. */
export type GeoPoint = { latitude: number; longitude: number; suspicion: boolean };
type Cell = ScanPlaces["cells"][number];

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

/** Pixels between cells that are shown apart on a map of this size. */
const radius = 64;
const map = { width: 800, height: 540 };
/** Pixels of the squares whose points are counted first: for Supercluster they are one. */
const square = 8;

/** Points that are counted before other requests are answered: 1 ms, and some 7 ms for the first map after a start. */
const pointsPerBatch = 4000;

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
  const counted = await countedBySquares(points, west, zoom);
  // Supercluster joins nothing across 180°, where the bounds may go on.
  const shift = east > 180 ? west + 180 : 0;
  clusters.load(counted.map((one) => asFeature(one, shift)));
  return clusters.getClusters([-180, -90, 180, 90], zoom).map(({ properties }) => asCell(properties));
}

/** Points that are counted together. */
type Counted = { scans: number; suspicions: number; latitudes: number; longitudes: number; bounds: Bounds };

/** The points by squares of the map: clusters of 20,000 single ones take 30 ms. */
async function countedBySquares(points: Iterable<GeoPoint>, west: number, zoom: number): Promise<Counted[]> {
  const squares = new Map<string, Counted>();
  const scale = 2 ** zoom / square;
  let n = 0;
  for (const { latitude, longitude, suspicion } of points) {
    const x = eastOf(west, longitude);
    const [column, row] = lngLatToWorld([x, latitude]);
    const key = `${Math.floor(column * scale)} ${Math.floor(row * scale)}`;
    const bounds = { west: x, south: latitude, east: x, north: latitude };
    const one = { scans: 1, suspicions: suspicion ? 1 : 0, latitudes: latitude, longitudes: x, bounds };
    const before = squares.get(key);
    squares.set(key, before ? joined(before, one) : one);
    if (++n % pointsPerBatch === 0) await setImmediate();
  }
  return [...squares.values()];
}

const joined = (a: Counted, b: Counted): Counted => ({
  scans: a.scans + b.scans,
  suspicions: a.suspicions + b.suspicions,
  latitudes: a.latitudes + b.latitudes,
  longitudes: a.longitudes + b.longitudes,
  bounds: unionOf(a.bounds, b.bounds),
});

const meanOf = ({ scans, latitudes, longitudes }: Counted) => [longitudes / scans, latitudes / scans] as const;

function asFeature(counted: Counted, shift: number) {
  const [longitude, latitude] = meanOf(counted);
  const geometry = { type: "Point" as const, coordinates: [longitude - shift, latitude] };
  return { type: "Feature" as const, geometry, properties: counted };
}

function asCell(counted: Counted): Cell {
  const { scans, suspicions, bounds } = counted;
  const [longitude, latitude] = meanOf(counted).map((degrees) => Number(degrees.toFixed(5)));
  return { latitude: latitude!, longitude: longitude!, scans, suspicions, bounds };
}

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import GeoJSONVT from "geojson-vt";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import type { Bounds } from "#provider/contract/scans.ts";

/** Maps that need neither scripts nor another server: the coasts, a grid of degrees, and what is to be seen on them. */

/** What is marked: a place, or what several lie within. */
export type Marked = {
  latitude: number;
  longitude: number;
  /** How many scans it stands for. */
  scans: number;
  /** How many of them are suspicious. */
  suspicions: number;
  /** Metres, drawn around a single place. */
  accuracy?: number | null | undefined;
};

/** A map's width and height in units of its paths; marks and grid lines are in per cent of them. */
const size = { width: 960, height: 640 };

/** Where a map starts that shows nothing (`docs/specification.md` sections 2 and 9). */
const start = { latitude: 53.4808, longitude: -2.2426, zoom: 10.75 };
/** Not so near that a single place has nothing around it to know it by. */
const nearest = 12;
/** Of the width and height, what lies at the edges is kept away from them. */
const filled = 0.84;

/** Draws `marks`, so that all that lies within `bounds` is seen; the fixed start where there is nothing. */
export async function draw<Mark extends Marked>(marks: Mark[], bounds: Bounds | null) {
  const view = viewOf(bounds);
  const perMetre = view.scale / (equator * Math.cos(radians(view.latitude)));
  return {
    land: await landIn(view),
    grid: gridIn(view),
    marks: marks.map((mark) => {
      const { x, y } = worldPoint(mark);
      return {
        ...mark,
        x: percent((x - view.left) * view.scale, size.width),
        y: percent((y - view.top) * view.scale, size.height),
        radius: mark.accuracy ? Math.min(Math.round(mark.accuracy * perMetre), size.width) : 0,
      };
    }),
  };
}

/** The world is a square of 1 × 1 (Web Mercator); `scale` is how many units of the map it is wide. */
type View = { left: number; top: number; scale: number; latitude: number };

/** Metres. */
const equator = 40_075_017;
/** Pixels of the world's width at zoom 0. */
const tile = 256;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Other providers may tell places that are nowhere. */
function worldPoint({ latitude, longitude }: { latitude: number; longitude: number }) {
  const north = Math.max(Math.min(latitude, 85), -85);
  const east = Math.max(Math.min(longitude, 180), -180);
  return { x: east / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan(radians(north))) / (2 * Math.PI) };
}
const latitudeAt = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

function viewOf(bounds: Bounds | null): View {
  const { west, south, east, north } = bounds ?? {
    west: start.longitude,
    east: start.longitude,
    south: start.latitude,
    north: start.latitude,
  };
  const low = worldPoint({ latitude: south, longitude: west });
  const high = worldPoint({ latitude: north, longitude: east });
  const most = tile * 2 ** (bounds ? nearest : start.zoom);
  const scale = Math.min((size.width * filled) / (high.x - low.x), (size.height * filled) / (low.y - high.y), most);
  const [x, y] = [(low.x + high.x) / 2, (low.y + high.y) / 2];
  return {
    left: x - size.width / 2 / scale,
    top: y - size.height / 2 / scale,
    scale,
    latitude: latitudeAt(y),
  };
}

const percent = (part: number, whole: number) => Math.round((part / whole) * 10_000) / 100;

let land: Promise<GeoJSONVT> | undefined;
/** In units within a tile; the map's paths are scaled from them. */
const extent = 4096;
/** The coasts are known no better; and each tile that is looked at stays in memory. */
const finest = 6;

/** Reads the coasts once, when the first map is drawn. */
async function readLand() {
  const file = createRequire(import.meta.url).resolve("world-atlas/land-50m.json");
  const topology = JSON.parse(await readFile(file, "utf8")) as Topology;
  return new GeoJSONVT(feature(topology, topology.objects.land!), { maxZoom: finest, extent, buffer: 16 });
}

/** The land as paths, one for each of the tiles that the view touches. */
async function landIn({ left, top, scale }: View): Promise<string[]> {
  land ??= readLand().catch((error: unknown) => {
    land = undefined;
    throw error;
  });
  const tiles = await land;
  const zoom = Math.min(Math.max(Math.floor(Math.log2(scale / tile)), 0), finest);
  const count = 2 ** zoom;
  const first = { x: Math.floor(left * count), y: Math.max(Math.floor(top * count), 0) };
  const last = {
    x: Math.floor((left + size.width / scale) * count),
    y: Math.min(Math.floor((top + size.height / scale) * count), count - 1),
  };
  const paths: string[] = [];
  for (let x = first.x; x <= last.x; x++) {
    for (let y = first.y; y <= last.y; y++) {
      const shape = tiles.getTile(zoom, ((x % count) + count) % count, y);
      const at = (n: number, column: number, origin: number) =>
        Math.round(((column + n / extent) / count - origin) * scale);
      const rings = (shape?.features ?? []).flatMap((one) => (one.type === 3 ? one.geometry : []));
      const path = rings
        .map((ring) => `M${ring.map(([a, b]) => `${at(a, x, left)} ${at(b, y, top)}`).join("L")}Z`)
        .join("");
      if (path) paths.push(path);
    }
  }
  return paths;
}

const steps = [45, 30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];

/** Some three meridians and parallels in round degrees, so that one knows where one looks. */
function gridIn({ left, top, scale }: View) {
  const [west, east] = [left, left + size.width / scale].map((x) => (x - 0.5) * 360) as [number, number];
  const [north, south] = [top, top + size.height / scale].map(latitudeAt) as [number, number];
  const step = steps.find((step) => (east - west) / step >= 3) ?? steps.at(-1)!;
  return {
    meridians: multiples(step, west, east).map((longitude) => ({
      at: percent((worldPoint({ latitude: 0, longitude }).x - left) * scale, size.width),
      label: degrees(longitude, "E", "W"),
    })),
    parallels: multiples(step, Math.max(south, -80), Math.min(north, 80)).map((latitude) => ({
      at: percent((worldPoint({ latitude, longitude: 0 }).y - top) * scale, size.height),
      label: degrees(latitude, "N", "S"),
    })),
  };
}

const multiples = (step: number, low: number, high: number) =>
  Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, n) =>
    Number(((Math.ceil(low / step) + n) * step).toFixed(3)),
  );

const degrees = (value: number, positive: string, negative: string) =>
  `${Math.abs(value)}°${value === 0 ? "" : ` ${value > 0 ? positive : negative}`}`;

import { WebMercatorViewport } from "@math.gl/web-mercator";
import { type Bounds, nearestTo, unionOf } from "../../bounds.ts";
import { landPaths } from "./land.ts";
import { mapSize } from "./map-size.ts";
import { townsWithin } from "./towns.ts";

type Marked = {
  latitude: number;
  longitude: number;
  scans: number;
  suspicions: number;
  /** In metres. */
  accuracy?: number | null | undefined;
  /** The area of its scans. */
  bounds?: Bounds;
};

/** The specification's start (sections 2 and 9); its zoom counts from a world of 256 pixels, the library's from 512. */
const start = new WebMercatorViewport({ ...mapSize, latitude: 53.4808, longitude: -2.2426, zoom: 10.75 - 1 });
const maxZoom = 12 - 1;
const padding = { left: 77, right: 77, top: 52, bottom: 52 };

/** For browsers without scripts or tiles; fitted to `bounds`, or at the fixed start. */
export async function drawMap<Mark extends Marked>(marks: Mark[], bounds: Bounds | null) {
  const viewport = bounds ? start.fitBounds(cornersOf(bounds), { maxZoom, padding }) : start;
  const shown = apart(marks.map(besideOf(viewport.longitude)), viewport);
  const perMetre = viewport.distanceScales.unitsPerMeter[0]! * viewport.scale;
  return {
    land: await landPaths(viewport),
    grid: gridIn(viewport),
    towns: await townsOn(viewport, shown),
    marks: shown.map((mark) => {
      const [x, y] = viewport.project(onMap(mark)) as [number, number];
      return {
        ...mark,
        x: percent(x, mapSize.width),
        y: percent(y, mapSize.height),
        radius: mark.accuracy ? Math.min(Math.round(mark.accuracy * perMetre), mapSize.width) : 0,
      };
    }),
  };
}

/** Moves marks by whole turns of the world to where they are nearest to a longitude. */
const besideOf =
  (center: number) =>
  <Mark extends Marked>(mark: Mark): Mark => {
    const longitude = nearestTo(center, Math.max(Math.min(mark.longitude, 540), -180));
    const turns = longitude - mark.longitude;
    const { bounds } = mark;
    return {
      ...mark,
      longitude,
      ...(bounds && { bounds: { ...bounds, west: bounds.west + turns, east: bounds.east + turns } }),
    };
  };

/** As far apart as signs must be that do not overlap on the narrowest telephone, where the map has 286 pixels. */
const apartOnPhones = 100;

/** The marks, with overlapping ones merged at the place with most scans. */
function apart<Mark extends Marked>(marks: Mark[], viewport: WebMercatorViewport): Mark[] {
  const separate: { mark: Mark; x: number; y: number }[] = [];
  for (const mark of marks.toSorted((a, b) => b.scans - a.scans)) {
    const [x, y] = viewport.project(onMap(mark)) as [number, number];
    const near = separate.find((other) => Math.hypot(other.x - x, other.y - y) < apartOnPhones);
    if (near) near.mark = merged(near.mark, mark);
    else separate.push({ mark, x, y });
  }
  return separate.map(({ mark }) => mark);
}

const merged = <Mark extends Marked>(a: Mark, b: Mark): Mark => ({
  ...a,
  scans: a.scans + b.scans,
  suspicions: a.suspicions + b.suspicions,
  accuracy: null,
  ...(a.bounds && b.bounds && { bounds: unionOf(a.bounds, b.bounds) }),
});

/** In pixels, so that names do not overlap on wide screens, nor some on the narrowest telephone. */
const townSpaces = { wide: { x: 130, y: 24 }, narrow: { x: 400, y: 70 } };
const maxTowns = 14;
/** Between a name's town and the map's right edge. */
const nameWidth = 110;
/** In pixels, of the largest one. */
const signRadius = 26;

type DrawnTown = { name: string; x: number; y: number; isExtra: boolean; isUnderSign: boolean };

/** The largest towns whose names have room. `isExtra` ones have it on wide screens only. */
async function townsOn(viewport: WebMercatorViewport, marks: Marked[]): Promise<DrawnTown[]> {
  const signs = marks.map((mark) => viewport.project(onMap(mark)) as [number, number]);
  const [west, north] = viewport.unproject([0, 0]) as LngLat;
  const [east, south] = viewport.unproject([mapSize.width, mapSize.height]) as LngLat;
  const towns: DrawnTown[] = [];
  for (const { name, latitude, longitude } of await townsWithin({ west, south, east, north })) {
    const [x, y] = viewport.project([longitude, latitude]) as [number, number];
    const isFree = (space: { x: number; y: number }, others: DrawnTown[]) =>
      others.every((other) => Math.abs(other.x - x) > space.x || Math.abs(other.y - y) > space.y);
    if (x > mapSize.width - nameWidth || !isFree(townSpaces.wide, towns)) continue;
    const shown = towns.filter(({ isExtra }) => !isExtra);
    const isUnderSign = signs.some(([a, b]) => Math.hypot(a - x, b - y) < signRadius);
    towns.push({ name, x, y, isExtra: !isFree(townSpaces.narrow, shown), isUnderSign });
    if (towns.length === maxTowns) break;
  }
  return towns.map(({ x, y, ...town }) => ({ ...town, x: percent(x, mapSize.width), y: percent(y, mapSize.height) }));
}

type LngLat = [number, number];

const onMap = ({ latitude, longitude }: { latitude: number; longitude: number }): LngLat => [
  Math.max(Math.min(longitude, 540), -180),
  Math.max(Math.min(latitude, 85), -85),
];

const cornersOf = ({ west, south, east, north }: Bounds): [LngLat, LngLat] => [
  onMap({ latitude: south, longitude: west }),
  onMap({ latitude: north, longitude: east }),
];

const percent = (part: number, whole: number) => Math.round((part / whole) * 10_000) / 100;

const steps = [45, 30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];

function gridIn(viewport: WebMercatorViewport) {
  const [west, north] = viewport.unproject([0, 0]) as LngLat;
  const [east, south] = viewport.unproject([mapSize.width, mapSize.height]) as LngLat;
  const middle = viewport.longitude;
  const step = steps.find((step) => (east - west) / step >= 3) ?? steps.at(-1)!;
  return {
    // Of a map that is wider than the world, each once.
    meridians: multiples(step, Math.max(west, middle - 180), Math.min(east, middle + 179.99)).map((longitude) => ({
      at: percent(viewport.project([longitude, 0])[0]!, mapSize.width),
      label: degrees(Number(nearestTo(0, longitude).toFixed(3)), "E", "W"),
    })),
    parallels: multiples(step, Math.max(south, -80), Math.min(north, 80)).map((latitude) => ({
      at: percent(viewport.project([0, latitude])[1]!, mapSize.height),
      label: degrees(latitude, "N", "S"),
    })),
  };
}

const multiples = (step: number, low: number, high: number) =>
  Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, n) =>
    Number(((Math.ceil(low / step) + n) * step).toFixed(3)),
  );

const degrees = (value: number, positive: string, negative: string) =>
  `${Math.abs(value)}°${value === 0 || Math.abs(value) === 180 ? "" : ` ${value > 0 ? positive : negative}`}`;

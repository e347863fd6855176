import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { createRequire } from "node:module";
import type { WebMercatorViewport } from "@math.gl/web-mercator";
import GeoJSONVT from "geojson-vt";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

let coasts: Promise<GeoJSONVT[]> | undefined;
const extent = 4096;
/** The coasts have no more detail, and each tile that was cut stays in memory. */
const maxTileZoom = 6;

/** Polygons that are prepared at once: all 1,400 block the event loop for 150 ms. */
const atOnce = 100;

async function readCoasts() {
  const file = createRequire(import.meta.url).resolve("world-atlas/land-50m.json");
  const topology = JSON.parse(await readFile(file, "utf8")) as Topology<{ land: GeometryCollection }>;
  await setImmediate();
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) => (geometry.type === "MultiPolygon" ? geometry.coordinates : []));
  const parts: GeoJSONVT[] = [];
  for (let from = 0; from < polygons.length; from += atOnce) {
    await setImmediate();
    const coordinates = polygons.slice(from, from + atOnce).map((polygon) => polygon.map(unwrap));
    parts.push(new GeoJSONVT({ type: "MultiPolygon", coordinates }, { maxZoom: maxTileZoom, extent, buffer: 16 }));
  }
  return parts;
}

/** Continues longitudes beyond 180° if a ring crosses the date line, except for a ring around a pole. */
function unwrap(ring: number[][]): number[][] {
  let turns = 0;
  const unwrapped = ring.map(([longitude, latitude], n) => {
    turns -= Math.round((longitude! - (ring[n - 1]?.[0] ?? longitude!)) / 360);
    return [longitude! + turns * 360, latitude!];
  });
  return turns === 0 ? unwrapped : ring;
}

/** SVG paths in pixels of the viewport, one for each tile with land. */
export async function landPaths(viewport: WebMercatorViewport): Promise<string[]> {
  coasts ??= readCoasts().catch((error: unknown) => {
    coasts = undefined;
    throw error;
  });
  const parts = await coasts;
  const { width, height } = viewport;
  const [left, right] = [-180, 180].map((longitude) => viewport.project([longitude, 0])[0]) as [number, number];
  const top = viewport.project([0, 0])[1]! - (right - left) / 2;
  const zoom = Math.min(Math.max(Math.floor(Math.log2((right - left) / 256)), 0), maxTileZoom);
  const count = 2 ** zoom;
  const size = (right - left) / count;
  const first = { x: Math.floor(-left / size), y: Math.max(Math.floor(-top / size), 0) };
  const last = { x: Math.floor((width - left) / size), y: Math.min(Math.floor((height - top) / size), count - 1) };
  const paths: string[] = [];
  for (let x = first.x; x <= last.x; x++) {
    for (let y = first.y; y <= last.y; y++) {
      const tiles = parts.map((part) => part.getTile(zoom, ((x % count) + count) % count, y));
      const features = tiles.flatMap((tile) => tile?.features ?? []);
      const rings = features.flatMap(({ type, geometry }) => (type === 3 ? geometry : []));
      const path = rings
        .map((ring) => ring.map(([a, b]) => [left + (x + a / extent) * size, top + (y + b / extent) * size]))
        .map((ring) => `M${ring.map((point) => point.map(Math.round).join(" ")).join("L")}Z`)
        .join("");
      if (path) paths.push(path);
    }
  }
  return paths;
}

import type { Bounds } from "#lib/bounds.ts";

type Corner = [latitude: number, longitude: number];

/** South-west and north-east, as Leaflet takes bounds. */
export const cornersOf = ({ west, south, east, north }: Bounds): [Corner, Corner] => [
  [south, west],
  [north, east],
];

/** With some surroundings, which a single point needs most. */
export function withMargin({ west, south, east, north }: Bounds): Bounds {
  const margin = Math.max((east - west) / 20, (north - south) / 20, 0.02);
  return { west: west - margin, south: south - margin, east: east + margin, north: north + margin };
}

/** As the map page's `bbox` parameter. */
export const toBbox = ({ west, south, east, north }: Bounds) =>
  [west, south, east, north].map((degrees) => Number(degrees.toFixed(4))).join();

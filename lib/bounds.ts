type Position = { latitude: number; longitude: number };

/** A part of the map, in degrees. `east` goes on beyond 180 if the part crosses the date line. */
export type Bounds = { west: number; south: number; east: number; north: number };

/** A longitude from -180 to 180 as bounds that begin at `west` have it. */
export const eastOf = (west: number, longitude: number) => (longitude < west ? longitude + 360 : longitude);

/** A longitude moved by whole turns to where it is nearest to `center`. */
export const nearestTo = (center: number, longitude: number) =>
  longitude + Math.round((center - longitude) / 360) * 360;

/** The smallest bounds with all points, beside the widest gap between their meridians; null without points. */
export function boundsOf(points: Iterable<Position>): Bounds | null {
  const meridians: number[] = [];
  let [south, north] = [Infinity, -Infinity];
  for (const { latitude, longitude } of points) {
    meridians.push(longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  if (meridians.length === 0) return null;
  const sorted = Float64Array.from(meridians).toSorted();
  let [west, east] = [sorted[0]!, sorted.at(-1)!];
  for (let n = 1; n < sorted.length; n++) {
    if (sorted[n]! - sorted[n - 1]! > west + 360 - east) [west, east] = [sorted[n]!, sorted[n - 1]! + 360];
  }
  return { west, south, east, north };
}

/** The bounds of both, whose longitudes go on from each other. */
export const unionOf = (a: Bounds, b: Bounds): Bounds => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
});

/** In shares of a page's width and height, from the top left. */
type Area = { left: number; top: number; right: number; bottom: number };

/** Whether an area has cells that are marked by `1` in the rows of a grid. Cells of which it has little do not count. */
export function hasCells(rows: string[], { left, top, right, bottom }: Area): boolean {
  const within = (from: number, to: number, cells: number) =>
    [Math.max(0, Math.round(from * cells - 0.25)), Math.round(to * cells + 0.25)] as const;
  const columns = within(left, right, rows[0]?.length ?? 0);
  return rows.slice(...within(top, bottom, rows.length)).some((row) => row.slice(...columns).includes("1"));
}

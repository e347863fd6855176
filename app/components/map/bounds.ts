/** A part of the map, in degrees. */
export type Bounds = { west: number; south: number; east: number; north: number };

/** A little more than what lies within, so that a single place has a part of the map around it. */
export function around({ west, south, east, north }: Bounds): Bounds {
  const margin = Math.max((east - west) / 20, (north - south) / 20, 0.02);
  return { west: west - margin, south: south - margin, east: east + margin, north: north + margin };
}

/** As the map's address has it (`bbox`). */
export const asBox = ({ west, south, east, north }: Bounds) =>
  [west, south, east, north].map((degrees) => Number(degrees.toFixed(4))).join();

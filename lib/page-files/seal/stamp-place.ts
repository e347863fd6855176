import type { Placing } from "../file-types.ts";
import { stampBox } from "./stamp-content.ts";

/** A stamp's position on a page, in the page's units, whose length is `unit` points. */

export const pointsPerMillimetre = 72 / 25.4;
/** Between the page's edges and the stamp. */
const marginMillimetres = 8;

export type StampedPage = { width: number; height: number; unit: number };

/** The code's side; on a small page at most half of the shorter side. */
export const sideOf = ({ width, height, unit }: StampedPage, { millimetres }: Pick<Placing, "millimetres">): number =>
  Math.min((millimetres * pointsPerMillimetre) / unit, Math.min(width, height) / 2);

type Stamped = Pick<Placing, "corner" | "millimetres">;

/** The stamp of a code of `size` modules, as seen from the page's lower left corner, and the side of a module. */
export function stampPlace(page: StampedPage, placing: Stamped, size: number, characters: string) {
  const side = sideOf(page, placing);
  const module = side / size;
  const margin = Math.min((marginMillimetres * pointsPerMillimetre) / page.unit, side / 3);
  const box = stampBox(size, characters);
  const [width, height] = [box.width * module, box.height * module];
  const x = placing.corner.endsWith("left") ? margin : page.width - margin - width;
  const y = placing.corner.startsWith("bottom") ? margin : page.height - margin - height;
  return { x, y, width, height, module };
}

/** The largest stamp of a code with that side, in points: one of few modules has a wide quiet zone. */
export function widestStamp(page: Omit<StampedPage, "unit">, placing: Stamped) {
  const { module: _, ...place } = stampPlace({ ...page, unit: 1 }, placing, 33, "0".repeat(21));
  return place;
}

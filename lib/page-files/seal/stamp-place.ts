import type { Placing } from "../file-types.ts";

/** A stamp's position on a page, in the page's units, whose length is `unit` points. */

export const pointsPerMillimetre = 72 / 25.4;
/** Between the page's edges and the stamp. */
const marginMillimetres = 8;

/** Modules of white that must surround a code for scanners to find it (ISO/IEC 18004). */
export const quietModules = 4;

/** The printed characters below a code of `size` modules: as wide as it. Courier's glyphs are 0.6 em wide. */
export const letterModules = (size: number, characters: string) =>
  characters === "" ? 0 : size / characters.length / 0.6;

/** The stamp's size in modules: the code, its quiet zone, and the characters. */
export const stampBox = (size: number, characters: string) => ({
  width: size + 2 * quietModules,
  height: size + 2 * quietModules + letterModules(size, characters),
});

export type StampedPage = { width: number; height: number; unit: number };

/** The code's side; on a small page at most half of the shorter side. */
export const sideOf = ({ width, height, unit }: StampedPage, { millimetres }: Pick<Placing, "millimetres">): number =>
  Math.min((millimetres * pointsPerMillimetre) / unit, Math.min(width, height) / 2);

type Stamped = Pick<Placing, "place" | "millimetres">;

/** The stamp of a code of `size` modules, as seen from the page's lower left corner, and the side of a module. */
export function stampPlace(page: StampedPage, placing: Stamped, size: number, characters: string) {
  const side = sideOf(page, placing);
  const module = side / size;
  const box = stampBox(size, characters);
  const [width, height] = [box.width * module, box.height * module];
  return { ...cornerOf(page, placing.place, { width, height, side, module }), width, height, module };
}

type Stamp = { width: number; height: number; side: number; module: number };

/** The stamp's lower left corner. It is never outside of the page. */
function cornerOf(page: StampedPage, place: Placing["place"], { width, height, side, module }: Stamp) {
  const [right, top] = [page.width - width, page.height - height];
  if (place === "own-page") return { x: right / 2, y: top / 2 };
  if (typeof place === "object") {
    const fromEdge = (millimetres: number) => (millimetres * pointsPerMillimetre) / page.unit - quietModules * module;
    const within = (value: number, most: number) => Math.max(0, Math.min(value, most));
    return { x: within(fromEdge(place.left), right), y: within(top - fromEdge(place.top), top) };
  }
  const margin = Math.min((marginMillimetres * pointsPerMillimetre) / page.unit, side / 3);
  return {
    x: place.endsWith("left") ? margin : right - margin,
    y: place.startsWith("bottom") ? margin : top - margin,
  };
}

/** The largest stamp of a code with that side, in points from the top left: one of few modules has a wide quiet zone. */
export function widestStamp(page: Omit<StampedPage, "unit">, placing: Stamped) {
  const { x, y, width, height } = stampPlace({ ...page, unit: 1 }, placing, 33, "0".repeat(21));
  return { x, y: page.height - y - height, width, height };
}

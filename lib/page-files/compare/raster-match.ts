import { type Box, edgesOf, type Raster } from "./raster.ts";

/** Comparing two drawings of a page: what another program wrote a little differently is the same, another digit is not. */

/** Levels of 255 by which a pixel may be outside of what lies around its place in the other drawing. */
const tolerance = 16;
/** The same if all around its place is one colour, as on blank paper, of levels this near to each other. */
const plain = { spread: 1, tolerance: 2 };
/** Levels beyond it, summed over a square of 16 pixels, that make a difference. Another digit of 6 points has more. */
const minExcess = 350;
const cell = 8;

/** By how much the pixels of two drawings of one size differ, in cells of 8 × 8, row by row. */
export type Differences = { width: number; height: number; cells: Uint32Array };

/** Of what lies `within` a rectangle. */
export function differencesOf(a: Raster, b: Raster, within?: Box): Differences {
  const { width, height } = a;
  const across = Math.ceil(width / cell);
  const cells = new Uint32Array(across * Math.ceil(height / cell));
  const [ofA, ofB] = [wholePixels(a), wholePixels(b)];
  const { left, top, right, bottom } = edgesOf(within, a);
  for (let y = top; y < bottom; y++) {
    const from = y * width;
    const [start, end] = [(from + left) * 4, (from + right) * 4];
    // Most rows are equal, and compared much faster as a whole.
    if (Buffer.compare(a.data.subarray(start, end), b.data.subarray(start, end)) === 0) continue;
    for (let x = left; x < right; x++) {
      if (ofA[from + x] === ofB[from + x]) continue;
      const excess = Math.max(excessOf(a, b, x, y), excessOf(b, a, x, y));
      if (excess > 0) cells[Math.floor(y / cell) * across + Math.floor(x / cell)]! += excess;
    }
  }
  return { width, height, cells };
}

/** The four bytes of each pixel as a number. */
const wholePixels = ({ data }: Raster) => new Uint32Array(data.buffer, data.byteOffset, data.length / 4);

/** The differences in both: each is of a drawing of the same page, moved by a part of a pixel. */
export const lesserOf = (one: Differences, { cells }: Differences): Differences => ({
  ...one,
  cells: one.cells.map((excess, at) => Math.min(excess, cells[at]!)),
});

/** The rectangle that has all differences; undefined if the drawings look the same. */
export function boxOf({ width, height, cells }: Differences): Box | undefined {
  const [across, down] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const excess = (column: number, row: number) => (column < across && row < down ? cells[row * across + column]! : 0);
  let [left, top, right, bottom] = [across, down, 0, 0];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const above = excess(column, row) + excess(column + 1, row);
      if (above + excess(column, row + 1) + excess(column + 1, row + 1) < minExcess) continue;
      [left, right] = [Math.min(left, column), Math.max(right, column + 2)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row + 2)];
    }
  }
  if (right === 0) return undefined;
  const [x, y] = [left * cell, top * cell];
  return { left: x, top: y, width: Math.min(width, right * cell) - x, height: Math.min(height, bottom * cell) - y };
}

/** Levels beyond the tolerance by which a pixel is darker or lighter than all around its place in the other drawing, in any colour. */
function excessOf(one: Raster, { data, width, height }: Raster, x: number, y: number): number {
  const [left, right] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
  const [top, bottom] = [Math.max(0, y - 1), Math.min(height - 1, y + 1)];
  let excess = 0;
  for (let colour = 0; colour < 3; colour++) {
    let [darkest, lightest] = [255, 0];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const level = data[(row * width + column) * 4 + colour]!;
        if (level < darkest) darkest = level;
        if (level > lightest) lightest = level;
      }
    }
    const level = one.data[(y * width + x) * 4 + colour]!;
    const outside = Math.max(darkest - level, level - lightest);
    // Of faint words on blank paper all counts, so that they are found although each pixel differs little.
    const isPlain = lightest - darkest <= plain.spread && outside > plain.tolerance;
    excess = Math.max(excess, isPlain ? outside : outside - tolerance);
  }
  return excess;
}

/** How dark a page is in each of 32 × 45 rectangles, whatever its size. */
export type Outline = Uint8Array;

const outlineSize = { across: 32, down: 45 };

export function outlineOf({ data, width, height }: Raster): Outline {
  const { across, down } = outlineSize;
  const sums = new Float64Array(across * down);
  const columns = Uint16Array.from({ length: width }, (_, x) => Math.floor((x * across) / width));
  // Every other pixel of every other row is enough.
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor((y * down) / height) * across;
    for (let x = 0; x < width; x += 2) sums[row + columns[x]!]! += 255 - data[(y * width + x) * 4 + 1]!;
  }
  const pixels = (width * height) / (across * down) / 4;
  return Uint8Array.from(sums, (sum) => Math.round(sum / pixels));
}

/** How much two outlines differ: 0 for equal ones, 1 if nothing dark of the one is dark in the other. */
export function outlineDistance(one: Outline, other: Outline): number {
  let [different, dark] = [0, 0];
  for (let at = 0; at < one.length; at++) {
    different += Math.abs(one[at]! - other[at]!);
    dark += Math.max(one[at]!, other[at]!);
  }
  return dark === 0 ? 0 : different / dark;
}

/** Whether a page has next to nothing on it. */
export const isBlank = (outline: Outline) => outline.every((darkness) => darkness < 2);

import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Sharp } from "sharp";
import { hasCells } from "../../bounds.ts";
import { a4, codeSides, type Corner, corners, type Placing } from "../file-types.ts";
import { listed } from "./notes.ts";
import { widestStamp } from "../seal/stamp-place.ts";

/**
 * Places where a code would cover something. `covered` of a page file has four characters a page, one for each of `corners`: how
 * many of `codeSides` are too large there, or `?` on a page that was not drawn. In brackets follows what is printed elsewhere:
 * a bit for each cell of a grid, by rows, deflated. It is empty for files of earlier versions.
 */

const notDrawn = "????";
/** Levels of brightness by which neighbouring pixels differ at least if something is printed, of clean and of noisy paper. */
const contrast = { min: 12, ofNoise: 6, max: 64 };
/** Fewer are dust. */
const leastEdges = { box: 9, cell: 3 };

/** Some 5 mm of A4. */
const grid = { columns: 42, rows: 60 };
/** Pages of more characters together go without what is in brackets. */
const maxLength = 40_000;

export const undrawnPages = (pages: number): string[] => Array.from({ length: pages }, () => notDrawn);

export const coveredByPage = (covered: string): string[] => covered.match(/[\d?]{4}(\([\w-]*\))?/g) ?? [];

/** The last page stays whole: that of many documents has the code. */
export function joinCovered(pages: string[]): string {
  let room = maxLength - (pages.at(-1)?.length ?? 0);
  return pages
    .map((page, n) => {
      const isLast = n === pages.length - 1;
      room -= isLast ? 0 : page.length;
      return isLast || room > 4 * pages.length ? page : page.slice(0, 4);
    })
    .join("");
}

/** The rows of a page's grid, `1` for a cell with something printed; undefined if that is not stored. */
export function printedCells(page: string): string[] | undefined {
  const [, packed] = /\(([\w-]+)\)/.exec(page) ?? [];
  if (!packed) return undefined;
  const bytes = inflateRawSync(Buffer.from(packed, "base64url"), { maxOutputLength: 4096 });
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from({ length: grid.rows }, (_, row) => bits.slice(row * grid.columns, (row + 1) * grid.columns));
}

function packedCells(rows: string[]) {
  const bytes = rows
    .join("")
    .match(/.{1,8}/g)!
    .map((bits) => Number.parseInt(bits.padEnd(8, "0"), 2));
  return `(${deflateRawSync(Buffer.from(bytes)).toString("base64url")})`;
}

export const isUndrawn = (page: string): boolean => page.includes("?");

/** `covered` of a drawn page of `points`. */
export async function coveredOn(picture: Sharp, points: { width: number; height: number }): Promise<string> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raster = { data, ...info };
  const scale = { x: info.width / points.width, y: info.height / points.height };
  const isOver = (place: Corner, millimetres: number) => {
    const at = widestStamp(points, { place, millimetres });
    const left = Math.max(0, Math.floor(at.x * scale.x));
    const top = Math.max(0, Math.floor(at.y * scale.y));
    const right = Math.min(info.width - 1, Math.ceil((at.x + at.width) * scale.x));
    const bottom = Math.min(info.height - 1, Math.ceil((at.y + at.height) * scale.y));
    const steps = stepsIn(raster, { left, top, right, bottom });
    const edge = edgeOf(steps);
    return steps.filter((step) => step >= edge).length >= leastEdges.box;
  };
  const counts = corners.map((corner) => codeSides.filter((side) => isOver(corner, side)).length).join("");
  return counts + packedCells(cellsOf(raster));
}

type Raster = { data: Buffer; width: number; height: number; channels: number };
type Box = { left: number; top: number; right: number; bottom: number };

/** The rows of the grid, `1` for a cell with edges. */
function cellsOf(raster: Raster): string[] {
  const [width, height] = [raster.width - 1, raster.height - 1];
  const all = stepsIn(raster, { left: 0, top: 0, right: width, bottom: height });
  const edge = edgeOf(all);
  const counts = Array.from({ length: grid.rows }, () => Array.from({ length: grid.columns }, () => 0));
  for (const [n, step] of all.entries()) {
    if (step < edge) continue;
    const [x, y] = [n % width, Math.floor(n / width)];
    counts[Math.floor((y / height) * grid.rows)]![Math.floor((x / width) * grid.columns)]!++;
  }
  return counts.map((row) => row.map((count) => (count >= leastEdges.cell ? "1" : "0")).join(""));
}

/** From which step on something is printed: edges, which tints and the noise of scans have not. */
function edgeOf(steps: number[]): number {
  const counts = new Uint32Array(256);
  for (const step of steps) counts[step]!++;
  // The median.
  let noise = 0;
  for (let below = counts[0]!; below <= steps.length >> 1 && noise < 255; below += counts[noise]!) noise++;
  return Math.min(contrast.max, Math.max(contrast.min, noise * contrast.ofNoise));
}

/** By how much each pixel in a box differs from the next ones, by rows. */
function stepsIn({ data, width, channels }: Raster, { left, top, right, bottom }: Box): number[] {
  const steps: number[] = [];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * channels;
      let step = 0;
      for (let n = at; n < at + channels; n++) {
        const [across, down] = [data[n + channels]! - data[n]!, data[n + width * channels]! - data[n]!];
        step = Math.max(step, Math.abs(across), Math.abs(down));
      }
      steps.push(step);
    }
  }
  return steps;
}

type CoveredFile = { type: string; pages: number; width: number; height: number; covered: string };

/** Sentences about content that the code of a document with these page files covers; none without a placing. */
export function coverNotes(files: CoveredFile[], placing: Placing | undefined): string[] {
  if (!placing || placing.place === "own-page" || files.some(({ covered }) => !covered)) return [];
  const all = files.flatMap((file) => coveredByPage(file.covered).map((page) => ({ page, sheet: sheetSize(file) })));
  const last = all.length - 1;
  const pages = { first: [0], last: [last], every: [...all.keys()] }[placing.pages].filter((page) => all[page]);
  const states = pages.map((page) => ({ page, isOver: isCovered(all[page]!, placing) }));
  const covered = states.filter(({ isOver }) => isOver).map(({ page }) => page);
  const undrawn = states.filter(({ isOver }) => isOver === undefined).length;
  return [
    ...(covered.length > 0
      ? [`The code covers something on ${onPages(covered)}: choose another place or size, or other pages`]
      : []),
    ...(undrawn > 0 ? [`Whether the code covers something was not looked at on ${undrawn} of the pages`] : []),
  ];
}

/** The size of a page file's first page on its sheet, in points. */
export function sheetSize({ type, width, height }: Pick<CoveredFile, "type" | "width" | "height">) {
  if (type === "application/pdf") return { width, height };
  return width > height ? { width: a4.long, height: a4.short } : { width: a4.short, height: a4.long };
}

type CoveredPage = { page: string; sheet: { width: number; height: number } };

/** Undefined if it was not looked at. */
function isCovered({ page, sheet }: CoveredPage, placing: Placing): boolean | undefined {
  const corner = corners.findIndex((corner) => corner === placing.place);
  if (corner >= 0) {
    const larger = codeSides.filter((side) => side > placing.millimetres).length;
    return isUndrawn(page) ? undefined : Number(page[corner]) > larger;
  }
  const rows = printedCells(page);
  const { x, y, width, height } = widestStamp(sheet, placing);
  const [left, top] = [x / sheet.width, y / sheet.height];
  return rows && hasCells(rows, { left, top, right: left + width / sheet.width, bottom: top + height / sheet.height });
}

const maxNamed = 5;

function onPages(pages: number[]) {
  const numbers = pages.map((page) => String(page + 1));
  if (numbers.length <= maxNamed) return `page${numbers.length > 1 ? "s" : ""} ${listed(numbers)}`;
  return `pages ${numbers.slice(0, maxNamed).join(", ")} and ${numbers.length - maxNamed} more`;
}

import type { Sharp } from "sharp";
import { codeSides, corners, type Placing } from "../file-types.ts";
import { listed } from "./notes.ts";
import { widestStamp } from "../seal/stamp-place.ts";

/**
 * Places where a code would cover something. `covered` of a page file has four characters a page, one for each of `corners`: how
 * many of `codeSides` are too large there, or `?` on a page that was not drawn. It is empty for files of earlier versions.
 */

const notDrawn = "????";
/** Levels of brightness by which neighbouring pixels differ at least if something is printed, of clean and of noisy paper. */
const contrast = { min: 12, ofNoise: 6, max: 64 };
/** Fewer are dust. */
const leastEdges = 9;

export const undrawnPages = (pages: number): string[] => Array.from({ length: pages }, () => notDrawn);

export const coveredByPage = (covered: string): string[] => covered.match(/.{4}/gs) ?? [];

export const isUndrawn = (page: string): boolean => page.includes("?");

/** The four characters of a drawn page of `points`. */
export async function coveredOn(picture: Sharp, points: { width: number; height: number }): Promise<string> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raster = { data, ...info };
  const scale = { x: info.width / points.width, y: info.height / points.height };
  const isOver = (corner: Placing["corner"], millimetres: number) => {
    const at = widestStamp(points, { corner, millimetres });
    const left = Math.max(0, Math.floor(at.x * scale.x));
    const top = Math.max(0, Math.floor((points.height - at.y - at.height) * scale.y));
    const right = Math.min(info.width - 1, Math.ceil((at.x + at.width) * scale.x));
    const bottom = Math.min(info.height - 1, Math.ceil((points.height - at.y) * scale.y));
    return hasMarks(raster, { left, top, right, bottom });
  };
  return corners.map((corner) => codeSides.filter((side) => isOver(corner, side)).length).join("");
}

type Raster = { data: Buffer; width: number; channels: number };
type Box = { left: number; top: number; right: number; bottom: number };

/** Whether more than paper is to be seen: edges, which tints and the noise of scans have not. */
function hasMarks({ data, width, channels }: Raster, { left, top, right, bottom }: Box): boolean {
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
  steps.sort((a, b) => a - b);
  const noise = steps[steps.length >> 1] ?? 0;
  const edge = Math.min(contrast.max, Math.max(contrast.min, noise * contrast.ofNoise));
  return (steps.at(-leastEdges) ?? 0) >= edge;
}

type CoveredFile = { pages: number; covered: string };

/** Sentences about content that the code of a document with these page files covers; none without a placing. */
export function coverNotes(files: CoveredFile[], placing: Placing | undefined): string[] {
  if (!placing || files.length === 0 || files.some(({ covered }) => !covered)) return [];
  const all = files.flatMap(({ covered }) => coveredByPage(covered));
  const last = all.length - 1;
  const pages = { first: [0], last: [last], every: [...all.keys()] }[placing.pages];
  const corner = corners.indexOf(placing.corner);
  const larger = codeSides.filter((side) => side > placing.millimetres).length;
  const covered = pages.filter((page) => Number(all[page]![corner]) > larger);
  const undrawn = pages.filter((page) => isUndrawn(all[page]!)).length;
  return [
    ...(covered.length > 0
      ? [`The code covers something on ${onPages(covered)}: choose another corner or size, or other pages`]
      : []),
    ...(undrawn > 0 ? [`Whether the code covers something was not looked at on ${undrawn} of the pages`] : []),
  ];
}

const maxNamed = 5;

function onPages(pages: number[]) {
  const numbers = pages.map((page) => String(page + 1));
  if (numbers.length <= maxNamed) return `page${numbers.length > 1 ? "s" : ""} ${listed(numbers)}`;
  return `pages ${numbers.slice(0, maxNamed).join(", ")} and ${numbers.length - maxNamed} more`;
}

import { coverNotes, coveredByPage, printedCells, sheetSize } from "#lib/page-files/notes/covered.ts";
import { corners } from "#lib/page-files/file-types.ts";
import { pointsPerMillimetre, widestStamp } from "#lib/page-files/seal/stamp-place.ts";
import { fixedOptions } from "#provider/contract/fixed-options.ts";
import { placingParts, placingSizes } from "#provider/contract/document-options.ts";

type PlacedFile = { type: string; pages: number; width: number; height: number; covered: string };
type Area = { x: number; y: number; width: number; height: number };

/** A drawn page with the places of codes on it. `choice` are the choices that show it, of a form's. */
export type Sheet = {
  choice?: string;
  src: string;
  width: number;
  height: number;
  spots: (Area & { choice: string })[];
  /** A millimetre in its units, and the stamp around a code of one unit. */
  millimetre: number;
  frame: Area;
};

/** What the choice of a place shows of a document's pages: its first and last one, and what the code covers where. */
export type PlacingPages = {
  sheets: Sheet[];
  notes: { placing: string; note: string }[];
  /** By the choice of pages, what is printed on any of them: `1` in the rows of a grid. */
  printed: Record<string, string[]>;
};

/** `drawing` gives the address of a page's image: of the nth file, from 0, and of the page in it, from 1. */
export function placingPages(files: PlacedFile[], drawing: (file: number, page: number) => string): PlacingPages {
  const last = files.length - 1;
  const isSized = files.every(({ width, height }) => width > 0 && height > 0);
  const sheets: Sheet[] = isSized ? files.slice(0, 1).map((file) => sheetOf(file, drawing(0, 1))) : [];
  if (sheets.length > 0 && files.reduce((sum, { pages }) => sum + pages, 0) > 1)
    sheets.push({ ...sheetOf(files[last]!, drawing(last, files[last]!.pages)), choice: "last" });
  const notes = fixedOptions.placings.flatMap((placing) =>
    placingNotes(files, placing).map((note) => ({ placing, note })),
  );
  const cells = files.flatMap(({ covered }) => coveredByPage(covered).map((page) => printedCells(page) ?? []));
  const printed = { first: cells[0] ?? [], last: cells.at(-1) ?? [], every: cells.reduce(onAny, []) };
  return { sheets, notes, printed };
}

/** The marks of both grids. */
const onAny = (a: string[], b: string[]) =>
  a.length === 0 ? b : a.map((row, y) => row.replaceAll(/0/g, (_, x: number) => b[y]?.[x] ?? "0"));

/** Sentences on what the code covers. */
export const placingNotes = (files: PlacedFile[], placing = "none"): string[] =>
  coverNotes(files, placingParts(placing));

function sheetOf(file: PlacedFile, src: string): Sheet {
  const page = sheetSize(file);
  const spots = corners.flatMap((place) =>
    Object.entries(placingSizes).map(([size, millimetres]) => ({
      ...widestStamp(page, { place, millimetres }),
      choice: `${place} ${size}`,
    })),
  );
  return { src, ...page, spots, ...stampMeasures };
}

const side = 100;
const begin = { left: side, top: side };
const [left, top] = [begin.left * pointsPerMillimetre, begin.top * pointsPerMillimetre];
const stamp = widestStamp({ width: 1e6, height: 1e6 }, { place: begin, millimetres: side });
const stampMeasures = {
  millimetre: pointsPerMillimetre,
  frame: {
    x: (stamp.x - left) / (side * pointsPerMillimetre),
    y: (stamp.y - top) / (side * pointsPerMillimetre),
    width: stamp.width / (side * pointsPerMillimetre),
    height: stamp.height / (side * pointsPerMillimetre),
  },
};

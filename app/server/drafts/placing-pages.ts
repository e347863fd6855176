import { coverNotes } from "#lib/page-files/notes/covered.ts";
import { a4, corners } from "#lib/page-files/file-types.ts";
import { widestStamp } from "#lib/page-files/seal/stamp-place.ts";
import { fixedOptions } from "#provider/contract/fixed-options.ts";
import { placingSizes, stampPlacing } from "#provider/contract/document-options.ts";

type PlacedFile = { type: string; pages: number; width: number; height: number; covered: string };

/** A drawn page with the places of codes on it. `choice` are the choices that show it, of a form's. */
export type Sheet = {
  choice?: string;
  src: string;
  width: number;
  height: number;
  spots: { choice: string; x: number; y: number; width: number; height: number }[];
};

/** What the choice of a place shows of a document's pages: its first and last one, and what the code covers where. */
export type PlacingPages = { sheets: Sheet[]; notes: { placing: string; note: string }[] };

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
  return { sheets, notes };
}

/** Sentences on what the code covers. */
export const placingNotes = (files: PlacedFile[], placing = "none"): string[] =>
  coverNotes(files, stampPlacing(placing));

function sheetOf({ type, width, height }: PlacedFile, src: string): Sheet {
  const isPdf = type === "application/pdf";
  const lying = width > height;
  const page = isPdf ? { width, height } : { width: lying ? a4.long : a4.short, height: lying ? a4.short : a4.long };
  const spots = corners.flatMap((corner) =>
    Object.entries(placingSizes).map(([size, millimetres]) => {
      const { y, ...place } = widestStamp(page, { corner, millimetres });
      return { ...place, y: page.height - y - place.height, choice: `${corner} ${size}` };
    }),
  );
  return { src, ...page, spots };
}

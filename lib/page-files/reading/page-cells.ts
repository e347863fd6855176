import type { PDFiumDocument } from "@hyzyla/pdfium";

/** Texts that stand together on a line of a page, by PDFium. */

/** Lengths are in points; `y` is its baseline, which grows upwards. */
type Place = { text: string; left: number; right: number; y: number; size: number };
export type Cell = Place & { page: number };

/** The parts of PDFium's API (`fpdf_text.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, at: number): number;
  _FPDFText_GetCharAngle(text: number, at: number): number;
  _FPDFText_GetCharOrigin(text: number, at: number, x: number, y: number): number;
  _FPDFText_GetLooseCharBox(text: number, at: number, box: number): number;
};

const maxLetters = 20_000;
const maxCellLength = 300;
/** Of the size: a wider gap is between words. */
const wordGap = 0.1;

/** The cells of a page (from 0), from the top of the page and in lines from the left. */
export function cellsOf(document: PDFiumDocument, page: number): Cell[] {
  const letters = [...lettersOf(document, page)].toSorted((one, other) => other.y - one.y);
  const lines: Place[][] = [];
  for (const letter of letters) {
    if (lines.length > 0 && isOnLine(lines.at(-1)![0]!, letter)) lines.at(-1)!.push(letter);
    else lines.push([letter]);
  }
  return lines.flatMap((line) =>
    cellsOfLine(
      line.toSorted((one, other) => one.left - other.left),
      page,
    ),
  );
}

/** PDFium has letters in the order in which a program wrote them: the places alone count. */
function cellsOfLine(letters: Place[], page: number): Cell[] {
  const cells: { cell: Cell; texts: string[] }[] = [];
  for (const [n, letter] of letters.entries()) {
    const { cell, texts } = cells.at(-1) ?? {};
    const gap = cell ? letter.left - cell.right : Infinity;
    if (!cell || gap > columnGap(letter, letters[n - 1]!))
      cells.push({ cell: { page, ...letter }, texts: [letter.text] });
    else {
      texts!.push(...(gap > wordGap * letter.size ? [" "] : []), letter.text);
      cell.right = Math.max(cell.right, letter.right);
      cell.size = Math.max(cell.size, letter.size);
    }
  }
  return cells.map(({ cell, texts }) => ({ ...cell, text: inReadingOrder(texts.slice(0, maxCellLength)) }));
}

/** A wider gap is between columns. A typewriter's space is as wide as its letters. */
const columnGap = (one: Place, other: Place) =>
  Math.max(0.6 * Math.min(one.size, other.size), 1.3 * Math.min(one.right - one.left, other.right - other.left));

const leftToRight = /[\p{Script=Latin}\p{Nd}](?:[^\s\p{Script=Arabic}\p{Script=Hebrew}]*[\p{Script=Latin}\p{Nd}])?/gu;

/** Letters from the left, as they are read; numbers within a line from the right stay as they are. */
function inReadingOrder(texts: string[]) {
  const text = texts.join("");
  if (!isRightToLeft(text)) return text;
  return texts
    .toReversed()
    .join("")
    .replace(leftToRight, (run) => [...run].toReversed().join(""));
}

export const isOnLine = (one: Place, other: Place) => Math.abs(one.y - other.y) < 0.35 * Math.max(one.size, other.size);

export const isRightToLeft = (text: string) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);

function* lettersOf(document: PDFiumDocument, page: number): Generator<Place> {
  const module = document["module"] as unknown as Module;
  const text = module._FPDFText_LoadPage(document.getPage(page)["pageIdx"]);
  if (!text) return;
  const place = module.wasmExports.malloc(32);
  try {
    const count = Math.min(module._FPDFText_CountChars(text), maxLetters);
    let last: Place | undefined;
    for (let at = 0; at < count; at++) {
      const letter = letterAt(module, text, at, place);
      // Accents and vowel signs have no place of their own.
      if (last && letter && /^\p{M}/u.test(letter.text)) last.text += letter.text;
      else if (letter) yield (last = letter);
    }
  } finally {
    module.wasmExports.free(place);
    module._FPDFText_ClosePage(text);
  }
}

/** Undefined for a space. */
function letterAt(module: Module, text: number, at: number, place: number): Place | undefined {
  const code = module._FPDFText_GetUnicode(text, at);
  // PDFium marks a hyphen at the end of a line by 2.
  const letter = code === 2 ? "-" : String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
  if (/[\s\p{Cc}]/u.test(letter)) return undefined;
  const { buffer } = module.HEAPU8;
  module._FPDFText_GetCharOrigin(text, at, place, place + 8);
  module._FPDFText_GetLooseCharBox(text, at, place + 16);
  // As it lies once the text around it is turned upright.
  const turn = Math.round(module._FPDFText_GetCharAngle(text, at) / (Math.PI / 2)) * (Math.PI / 2);
  const [cos, sin] = [Math.round(Math.cos(turn)), Math.round(Math.sin(turn))];
  const across = (x = 0, y = 0) => x * cos + y * sin;
  const up = (x = 0, y = 0) => y * cos - x * sin;
  const [left, top, right, bottom] = new Float32Array(buffer, place + 16, 4);
  const sides = [across(left, bottom), across(right, top)];
  const y = up(...new Float64Array(buffer, place, 2));
  const size = Math.abs(up(left, bottom) - up(right, top));
  return { text: letter, left: Math.min(...sides), right: Math.max(...sides), y, size };
}

import type { FontFile } from "../fonts/embedded-font.ts";
import courier from "../fonts/courier-prime-bold.json" with { type: "json" };
import bold from "../fonts/hanken-grotesk-bold.json" with { type: "json" };
import plain from "../fonts/hanken-grotesk-regular.json" with { type: "json" };
import { lineWidth, missingGlyph } from "../fonts/form-font.ts";
import { windows1252 } from "../fonts/glyphs.ts";
import { isScripted } from "./script-text.ts";

export type LabelText = {
  number: string;
  name: string;
  copy: string;
  caption: string;
  code: string;
  /** Branch, date and custom fields, a line each. */
  more?: string[];
};

/** A character in the font that has it, and its width in thousandths of the font's size. */
type Letter = { font: LabelFont; character: string; width: number };
/** `script` is a text to be drawn as a picture, in place of letters. */
export type Line = { size: number; leading: number; letters: Letter[]; script?: string };

/** `Other` has the letters of more alphabets than the first ones, in one weight. */
export type LabelFont = keyof typeof fonts | "Other";

const fonts = { Bold: bold, Plain: plain, Code: courier } satisfies Record<string, FontFile>;
const maxNameLines = 3;
/** Smaller letters can't be read without a glass. */
const minPoints = 4;

/** The byte of a character of the first fonts; undefined if they lack it. */
export const byteOf = (character: string): number | undefined => windows1252.get(character);

function letterOf(font: keyof typeof fonts, character: string): Letter | undefined {
  const byte = byteOf(character);
  const width = byte === undefined ? 0 : fonts[font].widths[byte - 32]!;
  if (width > 0) return { font, character, width };
  return missingGlyph(character) === undefined
    ? { font: "Other", character, width: lineWidth(character, 1000) }
    : undefined;
}

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text's letters: without accents if no font has them, and a question mark if that fails too. */
function lettersOf(font: keyof typeof fonts, text: string): Letter[] {
  const all = (parts: string) => {
    const letters = [...parts].map((character) => letterOf(font, character));
    return letters.length > 0 && letters.every((letter) => letter !== undefined) ? letters : undefined;
  };
  const drawn = (character: string) => all(character) ?? all(character.normalize("NFD").replace(/\p{M}/gu, ""));
  return [...characters.segment(text.normalize("NFC"))].flatMap(
    ({ segment }) => drawn(segment) ?? [letterOf(font, "?")!],
  );
}

const widthOf = (letters: Letter[], size: number) => letters.reduce((sum, { width }) => sum + width, 0) * (size / 1000);

type Box = { width: number; height: number };

/** The lines that have room in a box of points: the number first, then the code, the name, the copy and the caption. */
export function linesOf(text: LabelText, { width, height }: Box): Line[] {
  const size = Math.min(10, Math.max(5, height / 7));
  if (width < 20) return [];
  const number = oneLine("Bold", text.number, size, width);
  const code = codeLines(text.code, size * 0.85, width);
  const copy = text.copy ? oneLine("Plain", text.copy, size * 0.85, width) : [];
  const caption = wrapped("Plain", text.caption, { size: size * 0.85, width, maxLines: 2 });
  const name = wrapped("Plain", text.name, { size, width, maxLines: maxNameLines });
  const more = (text.more ?? []).map((line) => oneLine("Plain", line, size * 0.85, width));
  const heightOf = (lines: Line[]) => lines.reduce((sum, { leading }) => sum + leading, 0);
  const fitting = new Set<Line>();
  let heightLeft = height;
  for (const lines of [number, code, copy, name.slice(0, 1), ...more, caption, name.slice(1)]) {
    if (heightOf(lines) > heightLeft) continue;
    lines.forEach((line) => fitting.add(line));
    heightLeft -= heightOf(lines);
  }
  return [...number, ...name, ...more.flat(), ...copy, ...caption, ...code].filter((line) => fitting.has(line));
}

const lineOf = (size: number, letters: Letter[]): Line => ({ size, leading: size * 1.2, letters });

/** A text that is shrunk to the width, and cut if it would be too small to read. */
function oneLine(font: keyof typeof fonts, text: string, size: number, width: number): Line[] {
  if (isScripted(text)) return scriptLines(text, { size, width, maxLines: 1 });
  const letters = lettersOf(font, text);
  if (letters.length === 0) return [];
  const fitting = Math.max(minPoints, Math.min(size, (size * width) / widthOf(letters, size)));
  return [lineOf(fitting, cut(letters, { font, size: fitting, width }))];
}

/** A code in groups of four, on one line or two; it is never cut. */
function codeLines(code: string, size: number, width: number): Line[] {
  const groups = code.match(/.{1,4}/g) ?? [];
  const glyph = 0.6;
  const fit = (lines: string[]) => Math.min(size, ...lines.map((line) => width / (line.length * glyph)));
  const half = Math.ceil(groups.length / 2);
  const two = [`${groups.slice(0, half).join("-")}-`, groups.slice(half).join("-")];
  const lines = [[groups.join("-")], two].find((lines) => fit(lines) >= minPoints);
  return lines?.map((line) => lineOf(fit(lines), lettersOf("Code", line))) ?? [];
}

type Fit = { font: keyof typeof fonts; size: number; width: number };

function cut(letters: Letter[], { font, size, width }: Fit) {
  if (widthOf(letters, size) <= width) return letters;
  const ellipsis = letterOf(font, "…")!;
  let length = letters.length;
  const shortened = () => [...letters.slice(0, length), ellipsis];
  while (length > 0 && widthOf(shortened(), size) > width) length--;
  return shortened();
}

type Wrapping = { size: number; width: number; maxLines: number };

/** A block of as many rows as such a text takes at most; it is drawn smaller if it needs more. */
function scriptLines(text: string, { size, width, maxLines }: Wrapping): Line[] {
  const rows = Math.min(maxLines, Math.ceil(([...text].length * size) / width));
  return [{ size, leading: size * 1.45 * rows, letters: [{ font: "Plain", character: text, width: 0 }], script: text }];
}

function wrapped(font: keyof typeof fonts, text: string, { size, width, maxLines }: Wrapping) {
  if (isScripted(text)) return scriptLines(text, { size, width, maxLines });
  const rows: string[] = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = rows.length > 0 ? `${rows.at(-1)} ${word}` : word;
    const isFull = rows.length > 0 && widthOf(lettersOf(font, longer), size) > width;
    if (rows.length === 0 || (isFull && rows.length < maxLines)) rows.push(word);
    else rows[rows.length - 1] = longer;
  }
  return rows.map((row) => lineOf(size, cut(lettersOf(font, row), { font, size, width })));
}

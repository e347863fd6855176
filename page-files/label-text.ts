import { type FontFile, widthOf } from "./embedded-font.ts";
import courier from "./fonts/courier-prime-bold.json" with { type: "json" };
import bold from "./fonts/hanken-grotesk-bold.json" with { type: "json" };
import plain from "./fonts/hanken-grotesk-regular.json" with { type: "json" };
import { glyphsOf } from "./glyphs.ts";

export type LabelText = { number: string; name: string; copy: string; caption: string; code: string };

type Line = { font: keyof typeof fonts; size: number; leading: number; bytes: Uint8Array };

const fonts = { Bold: bold, Plain: plain, Code: courier } satisfies Record<string, FontFile>;
const maxNameLines = 3;
/** Smaller letters can't be read without a glass. */
const minPoints = 4;

/** Bytes of the fonts' characters, others without their accents; undefined where one has no likeness. */
function encode(text: string): Uint8Array | undefined {
  const bytes = [...text.normalize("NFC")].flatMap((character) => glyphsOf(character) ?? [undefined]);
  return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : undefined;
}

type Box = { width: number; height: number };

/** The lines that have room in a box of points: the number first, then the code, the name, the copy and the caption. */
export function linesOf(text: LabelText, { width, height }: Box): Line[] {
  const size = Math.min(10, Math.max(5, height / 7));
  if (width < 20) return [];
  const number = oneLine("Bold", text.number, size, width);
  const code = codeLines(text.code, size * 0.85, width);
  const copy = text.copy ? oneLine("Plain", text.copy, size * 0.85, width) : [];
  const caption = wrapped("Plain", text.caption, { size: size * 0.85, width, most: 2 });
  const name = wrapped("Plain", text.name, { size, width, most: maxNameLines });
  const heightOf = (lines: Line[]) => lines.reduce((sum, { leading }) => sum + leading, 0);
  const kept = new Set<Line>();
  let left = height;
  for (const lines of [number, code, copy, name.slice(0, 1), caption, name.slice(1)]) {
    if (heightOf(lines) > left) continue;
    lines.forEach((line) => kept.add(line));
    left -= heightOf(lines);
  }
  return [...number, ...name, ...copy, ...caption, ...code].filter((line) => kept.has(line));
}

const lineOf = (font: Line["font"], size: number, bytes: Uint8Array): Line => ({
  font,
  size,
  leading: size * 1.2,
  bytes,
});

/** A text that is shrunk to the width, and cut where it would be too small to read. */
function oneLine(font: Line["font"], text: string, size: number, width: number): Line[] {
  const bytes = encode(text);
  if (!bytes || bytes.length === 0) return [];
  const fitting = Math.max(minPoints, Math.min(size, (size * width) / widthOf(bytes, fonts[font], size)));
  return [lineOf(font, fitting, cut(bytes, { font, size: fitting, width }))];
}

/** A code in groups of four, on one line or two; it is never cut. */
function codeLines(code: string, size: number, width: number): Line[] {
  const groups = code.match(/.{1,4}/g) ?? [];
  const glyph = 0.6;
  const fit = (lines: string[]) => Math.min(size, ...lines.map((line) => width / (line.length * glyph)));
  const half = Math.ceil(groups.length / 2);
  const two = [`${groups.slice(0, half).join("-")}-`, groups.slice(half).join("-")];
  const lines = [[groups.join("-")], two].find((lines) => fit(lines) >= minPoints);
  return lines?.map((line) => lineOf("Code", fit(lines), Buffer.from(line, "latin1"))) ?? [];
}

type Fit = { font: Line["font"]; size: number; width: number };
const ellipsis = 0x85;

function cut(bytes: Uint8Array, { font, size, width }: Fit) {
  if (widthOf(bytes, fonts[font], size) <= width) return bytes;
  let length = bytes.length;
  const shortened = () => Uint8Array.of(...bytes.subarray(0, length), ellipsis);
  while (length > 0 && widthOf(shortened(), fonts[font], size) > width) length--;
  return shortened();
}

function wrapped(
  font: Line["font"],
  text: string,
  { size, width, most }: { size: number; width: number; most: number },
) {
  const bytes = encode(text);
  if (!bytes || bytes.length === 0) return [];
  const words = Buffer.from(bytes).toString("latin1").split(" ");
  const rows: string[] = [];
  for (const word of words) {
    const longer = rows.length > 0 ? `${rows.at(-1)} ${word}` : word;
    const isFull = rows.length > 0 && widthOf(Buffer.from(longer, "latin1"), fonts[font], size) > width;
    if (rows.length === 0 || (isFull && rows.length < most)) rows.push(word);
    else rows[rows.length - 1] = longer;
  }
  return rows.map((row) => lineOf(font, size, cut(Buffer.from(row, "latin1"), { font, size, width })));
}

import { type FontFile, widthOf } from "../fonts/embedded-font.ts";
import bold from "../fonts/hanken-grotesk-bold.json" with { type: "json" };
import plain from "../fonts/hanken-grotesk-regular.json" with { type: "json" };
import { glyphsOf } from "../fonts/glyphs.ts";

/** Texts of reports as lines of the embedded fonts' bytes. */

export const reportFonts = { Bold: bold, Plain: plain } satisfies Record<string, FontFile>;
export type Style = { font: keyof typeof reportFonts; size: number };

/** A text of a thousand empty lines would fill twenty pages. */
const maxLines = 60;
const shortened = "… (shortened here; the attached file has it whole)";

const space = 32;
const questionMark = 63;

/** Encodes texts, and counts the characters for which `?` stands. */
export class ReportText {
  replaced = 0;

  private encode(text: string): Uint8Array {
    const bytes = [...text.normalize("NFC").replaceAll("\t", " ")].flatMap((character) => {
      const glyphs = glyphsOf(character);
      if (!glyphs) this.replaced++;
      return glyphs ?? [questionMark];
    });
    return Uint8Array.from(bytes);
  }

  /** The lines of a text in a width of points, broken at spaces and, in longer words, anywhere. */
  lines(text: string, { font, size }: Style, width: number): Uint8Array[] {
    const fits = (bytes: Uint8Array) => widthOf(bytes, reportFonts[font], size) <= width;
    const lines: Uint8Array[] = [];
    for (const paragraph of text.split(/\r\n|[\r\n]/)) {
      lines.push(...wrap(this.encode(paragraph), fits));
      if (lines.length > maxLines) return [...lines.slice(0, maxLines - 1), this.encode(shortened)];
    }
    return lines;
  }
}

function wrap(bytes: Uint8Array, fits: (line: Uint8Array) => boolean): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let rest = bytes; ;) {
    let length = rest.length;
    if (!fits(rest)) {
      length = longestFit(rest, fits);
      const lastSpace = rest.lastIndexOf(space, length);
      if (lastSpace > 0) length = lastSpace;
    }
    lines.push(rest.subarray(0, length));
    if (length >= rest.length || lines.length > maxLines) return lines;
    rest = rest.subarray(rest[length] === space ? length + 1 : length);
  }
}

/** At least one character, however narrow the column. */
function longestFit(bytes: Uint8Array, fits: (line: Uint8Array) => boolean) {
  let [low, high] = [1, Math.min(bytes.length, 400)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

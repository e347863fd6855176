import file from "./form-sans.json" with { type: "json" };

/** The font of filled forms: Latin, Greek and Cyrillic. `used-letters.ts` embeds it. */

const glyphList = file.glyphs.split(" ").map(Number);
const glyphs = new Map([...file.characters].map((character, n) => [character, glyphList[n]!]));
/** Of each glyph, in thousandths of the font's size. */
export const glyphWidths = file.widths.split(" ").map(Number);

/** The glyph of a character; 0 if the font has none. */
export const glyphOf = (character: string): number => glyphs.get(character) ?? 0;

/** Of the font's size. */
export const formFont = { ascent: file.ascent / 1000, descent: file.descent / 1000, capHeight: file.capHeight / 1000 };

/** The first character of a text that the font has no glyph for. */
export const missingGlyph = (text: string): string | undefined =>
  [...text].find((character) => !glyphs.has(character) && character !== "\n");

/** How wide a line is at a size. */
export const lineWidth = (text: string, size: number): number =>
  [...text].reduce((width, character) => width + glyphWidths[glyphOf(character)]!, 0) * (size / 1000);

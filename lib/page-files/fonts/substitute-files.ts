import monoRegular from "./substitutes/mono-regular.json" with { type: "json" };
import monoBold from "./substitutes/mono-bold.json" with { type: "json" };
import monoItalic from "./substitutes/mono-italic.json" with { type: "json" };
import monoBoldItalic from "./substitutes/mono-bold-italic.json" with { type: "json" };
import sansRegular from "./substitutes/sans-regular.json" with { type: "json" };
import sansBold from "./substitutes/sans-bold.json" with { type: "json" };
import sansItalic from "./substitutes/sans-italic.json" with { type: "json" };
import sansBoldItalic from "./substitutes/sans-bold-italic.json" with { type: "json" };
import serifRegular from "./substitutes/serif-regular.json" with { type: "json" };
import serifBold from "./substitutes/serif-bold.json" with { type: "json" };
import serifItalic from "./substitutes/serif-italic.json" with { type: "json" };
import serifBoldItalic from "./substitutes/serif-bold-italic.json" with { type: "json" };
import dingbats from "./substitutes/dingbats.json" with { type: "json" };
import symbol from "./substitutes/symbol.json" with { type: "json" };
import otherNames from "./substitutes/glyph-names.json" with { type: "json" };
import type { Family } from "./simple-encodings.ts";

/** The fonts that are put into PDFs in place of those they only name, as `tools/substitute_font.py` writes them. */

type FileContent = typeof symbol;

const styles = {
  mono: [monoRegular, monoBold, monoItalic, monoBoldItalic],
  sans: [sansRegular, sansBold, sansItalic, sansBoldItalic],
  serif: [serifRegular, serifBold, serifItalic, serifBoldItalic],
  symbol: [symbol],
  dingbats: [dingbats],
} satisfies Record<Family, FileContent[]>;

/** A font of ours. Lengths are in thousandths of its size. */
export class SubstituteFile {
  readonly name: string;
  readonly box: number[];
  readonly italicAngle: number;
  private readonly widths: Map<string, number>;
  private readonly byPoint: Map<number, string>;
  private readonly latinGlyphs: Set<string>;
  private readonly content: FileContent;

  constructor(content: FileContent) {
    this.content = content;
    [this.name, this.box, this.italicAngle] = [content.name, content.box, content.italicAngle];
    const { glyphs, widths, points, latinGlyphs } = content;
    const names = glyphs.split(" ");
    const lengths = widths.split(" ").map(Number);
    this.latinGlyphs = new Set(latinGlyphs.split(" "));
    this.widths = new Map(names.map((glyph, n) => [glyph, lengths[n]!]));
    this.byPoint = new Map([...points].map((character, n) => [character.codePointAt(0)!, names[n]!]));
  }

  /** Its glyph for one of Adobe's names, or for uniXXXX and uXXXXXX; undefined if it has none. */
  glyphOf(glyph: string | undefined): string | undefined {
    if (glyph === undefined) return undefined;
    const called = this.widths.has(glyph) ? glyph : aliases.get(glyph);
    if (called) return this.widths.has(called) ? called : undefined;
    const [, digits] = /^u(?:ni)?([0-9A-F]{4,6})$/.exec(glyph) ?? [];
    return digits ? this.byPoint.get(Number.parseInt(digits, 16)) : undefined;
  }

  widthOf(glyph: string | undefined): number {
    return (glyph && this.widths.get(glyph)) || 0;
  }

  /** The name and the zlib stream of a bare CFF program that has these glyphs: the smaller one if that does. */
  programWith(glyphs: (string | undefined)[]): { name: string; deflated: Uint8Array } {
    const { latin, deflated } = this.content;
    const isLatin = latin !== "" && glyphs.every((glyph) => glyph === undefined || this.latinGlyphs.has(glyph));
    return isLatin
      ? { name: `${this.name}Latin`, deflated: Buffer.from(latin, "base64") }
      : { name: this.name, deflated: Buffer.from(deflated, "base64") };
  }
}

const aliases = new Map(Object.entries(otherNames));

const substitutes = new Map<FileContent, SubstituteFile>();

export function readSubstitute(family: Family, { isBold, isItalic }: { isBold: boolean; isItalic: boolean }) {
  const files: FileContent[] = styles[family];
  const content = files[(isBold ? 1 : 0) + (isItalic ? 2 : 0)] ?? files[0]!;
  let file = substitutes.get(content);
  if (!file) substitutes.set(content, (file = new SubstituteFile(content)));
  return file;
}

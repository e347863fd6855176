import { deflateSync, inflateSync } from "node:zlib";
import { type PDFDocument, PDFRawStream, type PDFRef, PDFString } from "@cantoo/pdf-lib";
import file from "./form-sans.json" with { type: "json" };
import { glyphOf, glyphWidths } from "./form-font.ts";

/** Embeds the font of filled forms: a document gets the outlines of the letters that it has. */

const hex = (value: number) => value.toString(16).padStart(4, "0");

/** The letters that a document uses of the font. */
export class UsedLetters {
  /** The font's name on pages. */
  readonly name: string;
  private readonly used = new Map<number, string>();

  constructor(name = "SealdeskForm") {
    this.name = name;
  }

  /** A line as the operand of a text operator. */
  encode(line: string): string {
    const codes = [...line].map((character) => {
      const glyph = glyphOf(character);
      this.used.set(glyph, character);
      return hex(glyph);
    });
    return `<${codes.join("")}>`;
  }

  /** Adds the font with the letters encoded so far as `ref`. */
  embed({ context }: PDFDocument, ref: PDFRef): void {
    const used = [...this.used].toSorted(([a], [b]) => a - b);
    const bytes = withOutlinesOf(new Set(used.map(([glyph]) => glyph)));
    const name = `SLDESK+${file.name}`;
    const stream = (content: Uint8Array, dictionary: object = {}) =>
      context.register(
        PDFRawStream.of(context.obj({ Filter: "FlateDecode", ...dictionary }), new Uint8Array(deflateSync(content))),
      );
    const descriptor = context.obj({
      Type: "FontDescriptor",
      FontName: name,
      // Symbolic: its characters are glyphs.
      Flags: 4,
      FontBBox: file.box,
      ItalicAngle: 0,
      Ascent: file.ascent,
      Descent: file.descent,
      CapHeight: file.capHeight,
      StemV: 80,
      FontFile2: stream(bytes, { Length1: bytes.length }),
    });
    const descendant = context.obj({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: name,
      CIDSystemInfo: context.obj({ Registry: textOf("Adobe"), Ordering: textOf("Identity"), Supplement: 0 }),
      FontDescriptor: context.register(descriptor),
      DW: 0,
      W: used.flatMap(([glyph]) => [glyph, [glyphWidths[glyph]!]]),
      CIDToGIDMap: "Identity",
    });
    const font = context.obj({
      Type: "Font",
      Subtype: "Type0",
      BaseFont: name,
      Encoding: "Identity-H",
      DescendantFonts: [context.register(descendant)],
      ToUnicode: stream(Buffer.from(unicodeMap(used))),
    });
    context.assign(ref, font);
  }
}

const textOf = (text: string) => PDFString.of(text);

/** Leads from glyphs to characters (ISO 32000-2, 9.10.3), for readers that search and copy. */
function unicodeMap(used: [glyph: number, character: string][]): string {
  const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");
  const blocks = Array.from({ length: Math.ceil(used.length / 100) }, (_, n) => used.slice(n * 100, n * 100 + 100));
  const maps = blocks.map((block) => {
    const lines = block.map(([glyph, character]) => `<${hex(glyph)}> <${utf16(character)}>`);
    return `${block.length} beginbfchar\n${lines.join("\n")}\nendbfchar`;
  });
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
    "1 begincodespacerange <0000> <ffff> endcodespacerange",
    ...maps,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
}

/** A font's tables (OpenType 1.9, "Organization of an OpenType Font") by name. */
type FontTables = Map<string, Buffer>;

let whole: FontTables | undefined;

function tablesOf(font: Buffer): FontTables {
  const count = font.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, n) => {
      const entry = font.subarray(12 + n * 16, 28 + n * 16);
      const start = entry.readUInt32BE(8);
      return [entry.toString("latin1", 0, 4), font.subarray(start, start + entry.readUInt32BE(12))];
    }),
  );
}

/** The font file with the outlines of these glyphs alone, under their own numbers. */
function withOutlinesOf(used: Set<number>): Buffer {
  whole ??= tablesOf(inflateSync(Buffer.from(file.deflated, "base64")));
  const [loca, glyf, head] = ["loca", "glyf", "head"].map((name) => whole!.get(name)!) as [Buffer, Buffer, Buffer];
  const isLong = head.readInt16BE(50) === 1;
  const offset = (glyph: number) => (isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
  const outline = (glyph: number) => glyf.subarray(offset(glyph), offset(glyph + 1));
  const glyphs = new Set([0, ...used]);
  for (const glyph of glyphs) for (const part of partsOf(outline(glyph))) glyphs.add(part);
  const newLoca = Buffer.alloc((glyphWidths.length + 1) * 4);
  const outlines: Buffer[] = [];
  let length = 0;
  for (let glyph = 0; glyph < glyphWidths.length; glyph++) {
    newLoca.writeUInt32BE(length, glyph * 4);
    if (!glyphs.has(glyph)) continue;
    const one = padded(outline(glyph));
    outlines.push(one);
    length += one.length;
  }
  newLoca.writeUInt32BE(length, glyphWidths.length * 4);
  const newHead = Buffer.from(head);
  newHead.writeInt16BE(1, 50);
  const changed = { loca: newLoca, glyf: Buffer.concat(outlines), head: newHead };
  return fontOf(new Map([...whole, ...Object.entries(changed)]));
}

/** The glyphs that a composite glyph is made of, as an accented letter of a letter and an accent. */
function partsOf(outline: Buffer): number[] {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return [];
  const parts: number[] = [];
  for (let at = 10, more = true; more;) {
    const flags = outline.readUInt16BE(at);
    parts.push(outline.readUInt16BE(at + 2));
    const scale = flags & 8 ? 2 : flags & 64 ? 4 : flags & 128 ? 8 : 0;
    at += 4 + (flags & 1 ? 4 : 2) + scale;
    more = (flags & 32) !== 0;
  }
  return parts;
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

function fontOf(tables: FontTables): Buffer {
  const directory = Buffer.alloc(12 + tables.size * 16);
  const power = 2 ** Math.floor(Math.log2(tables.size));
  directory.writeUInt32BE(0x00010000, 0);
  const counts = [tables.size, power * 16, Math.log2(power), (tables.size - power) * 16];
  for (const [n, count] of counts.entries()) directory.writeUInt16BE(count, 4 + n * 2);
  const parts = [directory];
  let start = directory.length;
  for (const [n, [name, table]] of [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1)).entries()) {
    const entry = directory.subarray(12 + n * 16);
    const bytes = padded(table);
    entry.write(name, "latin1");
    entry.writeUInt32BE(checksum(bytes), 4);
    entry.writeUInt32BE(start, 8);
    entry.writeUInt32BE(table.length, 12);
    parts.push(bytes);
    start += bytes.length;
  }
  return Buffer.concat(parts);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

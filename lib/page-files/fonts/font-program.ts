import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import { mebibytesInBytes } from "../../units.ts";
import type { Resolve } from "../pdf/pdf-reader.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";

/** Whether a file contains the program of a font, with what every viewer needs to draw with it; else each may take another font. */

const name = (text: string) => PDFName.of(text);
const maxProgramBytes = mebibytesInBytes(40);

type Unpack = (program: PDFRawStream) => Uint8Array | undefined;

/** Whether a file contains a font (Type 3 aside): its program is there, once, and sound. */
export function isContained(
  font: PDFDict,
  look: Resolve,
  unpack: Unpack = (program) => unpackedStream(program, look, maxProgramBytes),
): boolean {
  const descriptor = asDict(look(descendantOf(font, look)?.get(name("FontDescriptor"))));
  const keys = (["FontFile", "FontFile2", "FontFile3"] satisfies ProgramKey[]).filter((key) =>
    descriptor?.has(name(key)),
  );
  const [key] = keys;
  const program = key && look(descriptor?.get(name(key)));
  // Of several, each viewer takes another.
  if (keys.length !== 1 || !(program instanceof PDFRawStream)) return false;
  const bytes = unpack(program);
  return bytes !== undefined && isSoundProgram(Buffer.from(bytes), key!);
}

/** The font that has the glyphs: of a composite one its descendant. */
function descendantOf(font: PDFDict, look: Resolve): PDFDict | undefined {
  if (look(font.get(name("Subtype"))) !== name("Type0")) return font;
  const descendants = look(font.get(name("DescendantFonts")));
  return descendants instanceof PDFArray ? asDict(look(descendants.get(0))) : undefined;
}

const asDict = (object: PDFObject | undefined) => (object instanceof PDFDict ? object : undefined);

/** `FontFile`, `FontFile2` or `FontFile3` of a font's descriptor (ISO 32000-2, 9.9). */
type ProgramKey = "FontFile" | "FontFile2" | "FontFile3";

function isSoundProgram(bytes: Buffer, key: ProgramKey): boolean {
  try {
    if (key === "FontFile") return isType1(bytes);
    return key === "FontFile3" && bytes[0] === 1 && bytes[1] === 0 && bytes.readUInt8(2) < 32
      ? isCompact(bytes)
      : isOpenType(bytes);
  } catch (error) {
    // Read beyond the end.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Its encrypted part, in which the glyphs are, comes last. */
const minType1Bytes = 64;

function isType1(bytes: Buffer): boolean {
  const start = bytes[0] === 0x80 ? 6 : 0;
  const encrypted = bytes.indexOf("eexec", 0, "latin1");
  return (
    bytes.toString("latin1", start, start + 2) === "%!" && encrypted > 0 && bytes.length > encrypted + minType1Bytes
  );
}

const versions = [0x00010000, 0x74727565, 0x4f54544f];
const outlines = ["glyf", "loca", "head", "hhea", "hmtx", "maxp"];
const needed = new Set([...outlines, "CFF "]);

/** OpenType 1.9, "Organization of an OpenType Font". */
function isOpenType(bytes: Buffer): boolean {
  if (!versions.includes(bytes.readUInt32BE(0))) return false;
  const tables = new Map<string, Buffer>();
  for (let n = 0; n < bytes.readUInt16BE(4); n++) {
    const entry = bytes.subarray(12 + n * 16, 28 + n * 16);
    const [table, start, length] = [entry.toString("latin1", 0, 4), entry.readUInt32BE(8), entry.readUInt32BE(12)];
    if (!needed.has(table)) continue;
    // Some programs leave out the last table's padding.
    if (start + length > bytes.length + 3) return false;
    tables.set(table, bytes.subarray(start, start + length));
  }
  const compact = tables.get("CFF ");
  if (compact) return isCompact(compact);
  return outlines.every((table) => tables.has(table)) && hasGlyphs(tables);
}

function hasGlyphs(tables: Map<string, Buffer>): boolean {
  const [head, maxp, loca] = ["head", "maxp", "loca"].map((table) => tables.get(table)!) as [Buffer, Buffer, Buffer];
  const glyphs = maxp.readUInt16BE(4);
  const entryBytes = head.readInt16BE(50) === 0 ? 2 : 4;
  return glyphs > 0 && loca.length >= glyphs * entryBytes;
}

/** Adobe's Compact Font Format (Technical Note 5176): its indexes lie within it, and there are glyphs. */
function isCompact(bytes: Buffer): boolean {
  const names = indexAt(bytes, bytes.readUInt8(2));
  const dictionaries = indexAt(bytes, names.end);
  const strings = indexAt(bytes, dictionaries.end);
  indexAt(bytes, strings.end);
  const glyphs = glyphsPlace(bytes.subarray(...dictionaries.first));
  return glyphs !== undefined && indexAt(bytes, glyphs).count > 0;
}

function indexAt(bytes: Buffer, at: number): { count: number; first: [number, number]; end: number } {
  const count = bytes.readUInt16BE(at);
  if (count === 0) return { count, first: [at, at], end: at + 2 };
  const size = bytes.readUInt8(at + 2);
  const offset = (n: number) => bytes.readUIntBE(at + 3 + n * size, size);
  const start = at + 2 + (count + 1) * size;
  const end = start + offset(count);
  if (end > bytes.length) throw new RangeError("A font program that is cut short");
  return { count, first: [start + offset(0), start + offset(1)], end };
}

/** The operand of `CharStrings`. */
function glyphsPlace(dictionary: Buffer): number | undefined {
  let operand: number | undefined;
  for (let at = 0; at < dictionary.length;) {
    const byte = dictionary[at]!;
    if (byte === 17) return operand;
    if (byte < 22) at += byte === 12 ? 2 : 1;
    else if (byte === 30) {
      // A real number: nibbles up to one of 15.
      do at += 1;
      while (at < dictionary.length && (dictionary[at]! & 15) !== 15 && dictionary[at]! >> 4 !== 15);
      at += 1;
    } else if (byte === 28) [operand, at] = [dictionary.readInt16BE(at + 1), at + 3];
    else if (byte === 29) [operand, at] = [dictionary.readInt32BE(at + 1), at + 5];
    else if (byte < 247) [operand, at] = [byte - 139, at + 1];
    else [operand, at] = [(byte - 247) * 256 + dictionary.readUInt8(at + 1) + 108, at + 2];
  }
  return undefined;
}

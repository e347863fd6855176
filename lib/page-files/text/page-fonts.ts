import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  StandardFontEmbedder,
  StandardFonts,
} from "@cantoo/pdf-lib";
import type { Resolve } from "../pdf/pdf-reader.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";
import { parseUnicodeMap, type UnicodeMap } from "../fonts/unicode-map.ts";

/** Reads the texts and widths of a font's characters (ISO 32000-2, 9.6, 9.7 and 9.10). */

/** One character of a string. `width` is a part of the font's size. */
type Shown = { at: number; bytes: number; text: string; width: number; isSpace: boolean };

export type PageFont = { charactersOf(string: Uint8Array): Shown[] };

const name = (text: string) => PDFName.of(text);
const maxMapBytes = 2_000_000;
/** For glyphs without known text. */
const unknown = "\uFFFD";

/** A font; undefined if the lengths of its codes, or their widths, aren't known. */
export function readFont(dict: PDFDict, look: Resolve): PageFont | undefined {
  const type = look(dict.get(name("Subtype")));
  const map = look(dict.get(name("ToUnicode")));
  const bytes = map instanceof PDFRawStream ? unpackedStream(map, look, maxMapBytes) : undefined;
  const texts = bytes && parseUnicodeMap(Buffer.from(bytes).toString("latin1"));
  return type === name("Type0") ? compositeFont(dict, look, texts) : simpleFont(dict, look, texts);
}

/** Two bytes are one character. Other encodings, and text that runs downwards, are not read. */
function compositeFont(dict: PDFDict, look: Resolve, texts: UnicodeMap = new Map()): PageFont | undefined {
  const descendants = look(dict.get(name("DescendantFonts")));
  const font = descendants instanceof PDFArray ? look(descendants.get(0)) : undefined;
  if (look(dict.get(name("Encoding"))) !== name("Identity-H") || !(font instanceof PDFDict)) return undefined;
  const usual = numberOf(look(font.get(name("DW"))), 1000);
  const widths = compositeWidths(look(font.get(name("W"))), look);
  return {
    charactersOf: (string) =>
      Array.from({ length: Math.floor(string.length / 2) }, (_, n) => {
        const code = string[n * 2]! * 256 + string[n * 2 + 1]!;
        const width = (widths.get(code) ?? usual) / 1000;
        return { at: n * 2, bytes: 2, text: texts.get(code) ?? unknown, width, isSpace: false };
      }),
  };
}

/** `first [width …]` and `first last width` (9.7.4.3). */
function compositeWidths(value: PDFObject | undefined, look: Resolve): Map<number, number> {
  const widths = new Map<number, number>();
  const items = value instanceof PDFArray ? value.asArray() : [];
  for (let n = 0; n + 1 < items.length;) {
    const first = numberOf(look(items[n]));
    const next = look(items[n + 1]);
    if (next instanceof PDFArray) {
      for (const [place, width] of next.asArray().entries()) widths.set(first + place, numberOf(look(width)));
      n += 2;
    } else {
      const last = Math.min(numberOf(next), 0xffff);
      const width = numberOf(look(items[n + 2]));
      for (let code = Math.max(first, 0); code <= last; code++) widths.set(code, width);
      n += 3;
    }
  }
  return widths;
}

function simpleFont(dict: PDFDict, look: Resolve, texts: UnicodeMap | undefined): PageFont | undefined {
  const names = encodingOf(dict, look);
  const widthOf = simpleWidths(dict, look);
  if (!widthOf) return undefined;
  return {
    charactersOf: (string) =>
      Array.from(string, (code, at) => ({
        at,
        bytes: 1,
        text: texts?.get(code) ?? names(code) ?? unknown,
        width: widthOf(code),
        isSpace: code === 32,
      })),
  };
}

function simpleWidths(dict: PDFDict, look: Resolve): ((code: number) => number) | undefined {
  const list = look(dict.get(name("Widths")));
  const matrix = look(dict.get(name("FontMatrix")));
  const isDrawn = look(dict.get(name("Subtype"))) === name("Type3");
  const unit = isDrawn && matrix instanceof PDFArray ? numberOf(look(matrix.get(0))) : 1 / 1000;
  if (list instanceof PDFArray) {
    const first = numberOf(look(dict.get(name("FirstChar"))));
    const descriptor = look(dict.get(name("FontDescriptor")));
    const missing = descriptor instanceof PDFDict ? numberOf(look(descriptor.get(name("MissingWidth")))) : 0;
    const widths = list.asArray().map((width) => numberOf(look(width)) * unit);
    return (code) => widths[code - first] ?? missing * unit;
  }
  const base = look(dict.get(name("BaseFont")));
  const standard = base instanceof PDFName ? standardFont(base.decodeText()) : undefined;
  if (!standard) return undefined;
  const names = encodingOf(dict, look);
  return (code) => {
    const text = names(code);
    const glyph = text ? latin().names.get(text) : undefined;
    return (glyph ? (standard.font.getWidthOfGlyph(glyph) ?? 0) : 0) / 1000;
  };
}

/** One of the fonts that readers have (9.6.2.2), which then needs no widths. */
function standardFont(base: string) {
  const font = Object.values(StandardFonts).find((one) => one === base);
  const isText = font && font !== StandardFonts.Symbol && font !== StandardFonts.ZapfDingbats;
  return isText ? embedderOf(font) : undefined;
}

/** The library has a type of the same names that it does not export. */
const embedderOf = (font: StandardFonts) => StandardFontEmbedder.for(font as never);

/** The text of each code by its encoding (9.6.5). */
function encodingOf(dict: PDFDict, look: Resolve): (code: number) => string | undefined {
  const encoding = look(dict.get(name("Encoding")));
  const base = encoding instanceof PDFDict ? look(encoding.get(name("BaseEncoding"))) : encoding;
  const differences = encoding instanceof PDFDict ? look(encoding.get(name("Differences"))) : undefined;
  const own = new Map<number, string>();
  let code = 0;
  for (const item of differences instanceof PDFArray ? differences.asArray() : []) {
    const value = look(item);
    if (value instanceof PDFNumber) code = value.asNumber();
    else if (value instanceof PDFName) own.set(code++, textOfName(value.decodeText()));
  }
  const isOwn = !base && isSymbolic(dict, look);
  const decoder = new TextDecoder(base === name("MacRomanEncoding") ? "macintosh" : "windows-1252");
  // Beyond ASCII, encodings other than Windows' and Macintosh's differ.
  const last = base instanceof PDFName ? 255 : 126;
  return (one) => own.get(one) ?? (isOwn || one < 32 || one > last ? undefined : decoder.decode(Uint8Array.of(one)));
}

function isSymbolic(dict: PDFDict, look: Resolve): boolean {
  const descriptor = look(dict.get(name("FontDescriptor")));
  return descriptor instanceof PDFDict && (numberOf(look(descriptor.get(name("Flags")))) & 4) !== 0;
}

let latinNames: { names: Map<string, string>; texts: Map<string, string> } | undefined;

/** Adobe's names of the characters of Windows-1252. */
function latin() {
  if (latinNames) return latinNames;
  const { encoding } = embedderOf(StandardFonts.Helvetica);
  const pairs = encoding.supportedCodePoints.map(
    (point) => [String.fromCodePoint(point), encoding.encodeUnicodeCodePoint(point).name] as const,
  );
  latinNames = { names: new Map(pairs), texts: new Map(pairs.map(([text, glyph]) => [glyph, text])) };
  return latinNames;
}

function textOfName(glyph: string): string {
  const text = latin().texts.get(glyph);
  if (text) return text;
  const [, digits] = /^u(?:ni)?([0-9A-F]{4,6})$/.exec(glyph) ?? [];
  const point = digits ? Number.parseInt(digits, 16) : -1;
  return point >= 0 && point <= 0x10ffff ? String.fromCodePoint(point) : unknown;
}

const numberOf = (value: PDFObject | undefined, otherwise = 0) =>
  value instanceof PDFNumber ? value.asNumber() : otherwise;

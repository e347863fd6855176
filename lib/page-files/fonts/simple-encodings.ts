import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  StandardFontEmbedder,
  StandardFonts,
} from "@cantoo/pdf-lib";
import type { Resolve } from "../pdf/pdf-reader.ts";

/** Encodings of simple fonts that a file only names (ISO 32000-2, 9.6.5 and annex D): from codes to Adobe's glyph names. */

const name = (text: string) => PDFName.of(text);

/** Glyph names by code; gaps are codes without a letter. */
export type GlyphNames = (string | undefined)[];

/** The codes of StandardEncoding from 161 on. */
const standardNames = `
  exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft
  guilsinglright fi fl - endash dagger daggerdbl periodcentered - paragraph bullet quotesinglbase quotedblbase
  quotedblright guillemotright ellipsis perthousand - questiondown - grave acute circumflex tilde macron breve dotaccent
  dieresis - ring cedilla - hungarumlaut ogonek caron emdash - - - - - - - - - - - - - - - - AE - ordfeminine - - - -
  Lslash Oslash OE ordmasculine - - - - - ae - - - dotlessi - - lslash oslash oe germandbls
`
  .trim()
  .split(/\s+/)
  .map((glyph) => (glyph === "-" ? undefined : glyph));

/** The library has a type of the same names that it does not export. */
const encodingOf = (font: StandardFonts) => StandardFontEmbedder.for(font as never).encoding;

/** Adobe's names of the characters of Windows-1252, of Symbol or of Zapf Dingbats. */
function namesOf(font: StandardFonts): Map<number, { code: number; name: string }> {
  const encoding = encodingOf(font);
  return new Map(encoding.supportedCodePoints.map((point) => [point, encoding.encodeUnicodeCodePoint(point)]));
}

function decoded(label: string): GlyphNames {
  const names = namesOf(StandardFonts.Helvetica);
  const decoder = new TextDecoder(label);
  return Array.from({ length: 256 }, (_, code) => {
    if (code < 32) return undefined;
    const point = decoder.decode(Uint8Array.of(code)).codePointAt(0)!;
    return names.get(point)?.name ?? textGlyph(point);
  });
}

const textGlyph = (point: number) => `uni${point.toString(16).toUpperCase().padStart(4, "0")}`;

function builtIn(font: StandardFonts): GlyphNames {
  const codes: GlyphNames = [];
  for (const { code, name: glyph } of namesOf(font).values()) codes[code] = glyph;
  return codes;
}

const encodings = {
  WinAnsiEncoding: () => decoded("windows-1252"),
  MacRomanEncoding: () => decoded("macintosh"),
  StandardEncoding: () => {
    const codes = decoded("windows-1252").slice(0, 127);
    codes[0x27] = "quoteright";
    codes[0x60] = "quoteleft";
    return [...codes, ...Array.from({ length: 34 }, () => undefined), ...standardNames];
  },
  Symbol: () => builtIn(StandardFonts.Symbol),
  Dingbats: () => builtIn(StandardFonts.ZapfDingbats),
};
type EncodingName = keyof typeof encodings;

const namesByEncoding = new Map<EncodingName, GlyphNames>();

function encoding(key: EncodingName): GlyphNames {
  let codes = namesByEncoding.get(key);
  if (!codes) namesByEncoding.set(key, (codes = encodings[key]()));
  return codes;
}

/** The kinds of letters that fonts of ours have. */
export type Family = "sans" | "serif" | "mono" | "symbol" | "dingbats";

/** The glyph names of a simple font's codes: those of its base encoding, and its differences. */
export function glyphNames(font: PDFDict, family: Family, look: Resolve): GlyphNames {
  const entry = look(font.get(name("Encoding")));
  const base = entry instanceof PDFDict ? look(entry.get(name("BaseEncoding"))) : entry;
  const codes = [...encoding(baseOf(base, font, family, look))];
  const differences = entry instanceof PDFDict ? look(entry.get(name("Differences"))) : undefined;
  let code = 0;
  for (const item of differences instanceof PDFArray ? differences.asArray() : []) {
    const value = look(item);
    if (value instanceof PDFNumber) code = value.asNumber();
    else if (value instanceof PDFName) {
      if (Number.isInteger(code) && code >= 0 && code < 256) codes[code] = value.decodeText();
      code += 1;
    }
  }
  return codes;
}

function baseOf(base: PDFObject | undefined, font: PDFDict, family: Family, look: Resolve): EncodingName {
  if (family === "symbol") return "Symbol";
  if (family === "dingbats") return "Dingbats";
  for (const key of ["WinAnsiEncoding", "MacRomanEncoding"] as const) if (base === name(key)) return key;
  return look(font.get(name("Subtype"))) === name("TrueType") ? "WinAnsiEncoding" : "StandardEncoding";
}

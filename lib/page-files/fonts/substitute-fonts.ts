import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
} from "@cantoo/pdf-lib";
import blank from "./substitutes/blank.json" with { type: "json" };
import type { Resolve } from "../pdf/pdf-reader.ts";
import { type Family, glyphNames } from "./simple-encodings.ts";
import { readSubstitute, type SubstituteFile } from "./substitute-files.ts";

/**
 * Fonts that a file names without containing them, as programs do that count on Arial: each viewer draws its own. A
 * sealed PDF contains one of ours in their place, and previews are drawn with it.
 */

const name = (text: string) => PDFName.of(text);

/** Bits of a font descriptor's flags (ISO 32000-2, 9.8.2). */
const flags = { fixedPitch: 1, serif: 2, symbolic: 4, nonsymbolic: 32, italic: 64, forceBold: 1 << 18 };

/** The substitute of a simple font: a file of ours, and its glyph for each code that it has a letter for. */
export type Substitute = { file: SubstituteFile; glyphs: (string | undefined)[] };

/** The substitute of a simple font that the file does not embed. Other fonts' codes have no glyphs. */
export function substituteOf(font: PDFDict, look: Resolve): Substitute {
  const about = describe(font, look);
  const file = readSubstitute(about.family, about);
  const names = about.isCustom ? [] : glyphNames(font, about.family, look);
  return { file, glyphs: Array.from({ length: 256 }, (_, code) => file.glyphOf(names[code])) };
}

type Described = { family: Family; isBold: boolean; isItalic: boolean; isCustom: boolean };

function describe(font: PDFDict, look: Resolve): Described {
  const base = look(font.get(name("BaseFont")));
  const called = (base instanceof PDFName ? base.decodeText() : "").replace(/^[A-Z]{6}\+/, "");
  const descriptor = look(font.get(name("FontDescriptor")));
  const of = (key: string) => (descriptor instanceof PDFDict ? numberOf(look(descriptor.get(name(key)))) : 0);
  const has = (bit: number) => (of("Flags") & bit) !== 0;
  const family = familyOf(called) ?? (has(flags.fixedPitch) ? "mono" : has(flags.serif) ? "serif" : "sans");
  // A font of symbols with codes of its own: no program knows its letters without it.
  const isCustom = !familyOf(called) && has(flags.symbolic) && !font.has(name("Encoding"));
  return {
    family,
    isBold: /bold|black|heavy|demi/i.test(called) || has(flags.forceBold) || of("FontWeight") >= 600,
    isItalic: /italic|oblique|kursiv/i.test(called) || has(flags.italic) || of("ItalicAngle") !== 0,
    isCustom: isCustom || /wingdings|webdings/i.test(called),
  };
}

const families: [Family, RegExp][] = [
  ["symbol", /^symbol/i],
  ["dingbats", /dingbats/i],
  ["mono", /courier|consolas|mono|typewriter|fixed/i],
  ["serif", /times|georgia|cambria|garamond|book ?antiqua|palatino|century|serif(?!.*sans)|roman|mincho|song/i],
  ["sans", /arial|helvetica|calibri|verdana|tahoma|segoe|trebuchet|sans|univers|frutiger|gothic/i],
];

const familyOf = (called: string): Family | undefined =>
  /sans/i.test(called) && !/mono/i.test(called) ? "sans" : families.find(([, pattern]) => pattern.test(called))?.[0];

/** Whether ours has the widths of a font, as of the standard ones (9.6.2.2) and those made alike. */
export const isStandardFont = (called: string): boolean =>
  /^(arial|helvetica|times|timesnewroman|courier|couriernew|symbol|zapfdingbats)(ps)?(mt)?[-,]?(roman|regular|bold|italic|oblique|mt)*$/i.test(
    called.replaceAll(" ", ""),
  );

const numberOf = (value: PDFObject | undefined) => (value instanceof PDFNumber ? value.asNumber() : 0);

/** Writes a font of ours in place of a simple one, with the widths of its codes. */
export function writeSubstitute(font: PDFDict, look: Resolve, context: PDFContext): PDFDict {
  const { file, glyphs } = substituteOf(font, look);
  const { isStated, widthOf } = widthsOf(font, file, look);
  const stated = glyphs.map((glyph, code) => (isStated(code) ? glyph : undefined));
  const { name: called, deflated } = file.programWith(stated);
  const descriptor = descriptorOf(called, context, () => ({
    flags: flags.nonsymbolic | (file.italicAngle ? flags.italic : 0),
    box: file.box,
    italicAngle: file.italicAngle,
    ...heightsOf(file),
    program: { FontFile3: streamOf(context, deflated, { Subtype: "Type1C" }) },
  }));
  return context.obj({
    Type: "Font",
    Subtype: "Type1",
    BaseFont: called,
    FirstChar: 0,
    LastChar: 255,
    Widths: glyphs.map(widthOf),
    Encoding: { Type: "Encoding", Differences: [0, ...stated.map((glyph) => name(glyph ?? ".notdef"))] },
    FontDescriptor: descriptor,
  });
}

/** Those of the standard fonts, by which readers mark text. */
const heights = {
  Sans: { ascent: 718, descent: -207 },
  Serif: { ascent: 683, descent: -217 },
  Mono: { ascent: 629, descent: -157 },
};

function heightsOf({ name: called, box }: SubstituteFile) {
  const [kind] = Object.entries(heights).filter(([family]) => called.startsWith(`Sealdesk${family}`));
  return kind?.[1] ?? { ascent: box[3]!, descent: box[1]! };
}

/** Widths of codes as the file states them, or else as the letters have them: the 14 standard fonts need not state any. */
function widthsOf(font: PDFDict, file: SubstituteFile, look: Resolve) {
  const widths = look(font.get(name("Widths")));
  if (!(widths instanceof PDFArray)) return { isStated: () => true, widthOf: (glyph?: string) => file.widthOf(glyph) };
  const first = numberOf(look(font.get(name("FirstChar"))));
  const descriptor = look(font.get(name("FontDescriptor")));
  const missing = descriptor instanceof PDFDict ? numberOf(look(descriptor.get(name("MissingWidth")))) : 0;
  const isStated = (code: number) => code >= first && code - first < widths.size();
  const widthOf = (_glyph: string | undefined, code: number) => {
    const width = isStated(code) ? look(widths.get(code - first)) : undefined;
    return width instanceof PDFNumber ? width.asNumber() : missing;
  };
  return { isStated, widthOf };
}

type Descriptor = {
  flags: number;
  box: number[];
  italicAngle: number;
  ascent: number;
  descent: number;
  program: Record<string, PDFRef>;
};

const descriptors = new WeakMap<PDFContext, Map<string, PDFRef>>();

/** The descriptor of a font of ours in a document, once for all its pages. */
function descriptorOf(called: string, context: PDFContext, describe: () => Descriptor): PDFRef {
  const ofDocument = descriptors.get(context) ?? new Map<string, PDFRef>();
  descriptors.set(context, ofDocument);
  let ref = ofDocument.get(called);
  if (!ref) {
    const { flags: bits, box, italicAngle, ascent, descent, program } = describe();
    const lengths = { Ascent: ascent, Descent: descent, CapHeight: 700, StemV: 80 };
    const entries = { FontName: called, Flags: bits, FontBBox: box, ItalicAngle: italicAngle, ...lengths, ...program };
    ofDocument.set(called, (ref = context.register(context.obj({ Type: "FontDescriptor", ...entries }))));
  }
  return ref;
}

const streamOf = (context: PDFContext, bytes: Uint8Array, entries: Record<string, string | number>) =>
  context.register(PDFRawStream.of(context.obj({ Filter: "FlateDecode", ...entries }), bytes));

/** The font in place of composite ones that a file does not contain: it draws nothing. */
export const blankName = "SealdeskBlank";

export const writeBlankDescriptor = (context: PDFContext): PDFRef =>
  descriptorOf(blankName, context, () => ({
    flags: flags.symbolic,
    box: [0, 0, 1000, 1000],
    italicAngle: 0,
    ascent: 1000,
    descent: 0,
    program: { FontFile2: streamOf(context, Buffer.from(blank.deflated, "base64"), { Length1: blank.bytes }) },
  }));

import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { isContained } from "../fonts/font-program.ts";
import type { Resolve } from "./pdf-reader.ts";
import { blankName, writeBlankDescriptor, writeSubstitute } from "../fonts/substitute-fonts.ts";

/**
 * The allow-list of cleaned and sealed PDFs: every key that drawing a page needs, and the type of its value. Everything
 * else is left out. Numbers in comments are sections of ISO 32000-2.
 */

type Keys = Record<string, Rule>;
/** With `requires`, it is left out if that entry of it is not copied already. */
export type DictionaryRule = { is: "dictionary"; keys: () => Keys; requires?: string };
export type StreamRule = { is: "stream"; keys: () => Keys };

/** The type that a value must have to be copied. */
export type Rule =
  | { is: "scalar"; take: (object: PDFObject) => PDFObject | undefined }
  /** Written regardless of the source. */
  | { is: "constant"; value: PDFObject }
  /** `at` returns the rule of each index. An item that does not fit becomes null, or is left out if `closes`. */
  | { is: "array"; ruleAt: (place: number) => Rule | undefined; dropsMisfits?: boolean }
  | DictionaryRule
  /** A dictionary with arbitrary keys, such as the resource names that content streams use. */
  | { is: "names"; to: Rule }
  | StreamRule
  | { is: "choice"; choose: (object: PDFObject, look: Resolve) => Rule | undefined }
  /** A reference to the copy of an object, if there is one already. */
  | { is: "copied" }
  /** A layer of the copy, for a layer or a condition of layers. */
  | { is: "layer" }
  /** Written in place of the source, once for each. */
  | { is: "made"; make: (source: PDFObject | undefined, look: Resolve, to: PDFContext) => PDFObject };

/** In bytes. Longer names and strings would be data, not names. */
export const maxNameLength = 1000;
const scalar = (take: (object: PDFObject) => PDFObject | undefined): Rule => ({ is: "scalar", take });
const instance = (...types: (typeof PDFNumber | typeof PDFBool)[]) =>
  scalar((object) => (types.some((type) => object instanceof type) ? object : undefined));

export const number = instance(PDFNumber);
export const flag = instance(PDFBool);
const shortName = (object: PDFObject) =>
  object instanceof PDFName && object.sizeInBytes() <= maxNameLength ? object : undefined;
export const anyName = scalar(shortName);
export const text = scalar(stringOf);
export const shortText = scalar((object) => (object.sizeInBytes() <= maxNameLength ? stringOf(object) : undefined));

/** A string; of a hexadecimal one the digits alone, since parsers skip other bytes. */
function stringOf(object: PDFObject | undefined) {
  if (object instanceof PDFHexString) return PDFHexString.of(object.asString().replace(/[^0-9a-f]/gi, ""));
  return object instanceof PDFString ? object : undefined;
}

/** One of several names, given with spaces between. */
export function oneOf(names: string): Rule {
  const allowed = new Set<PDFObject>(names.split(" ").map((name) => PDFName.of(name)));
  return scalar((object) => (allowed.has(object) ? object : undefined));
}

export const constant = (name: string): Rule => ({ is: "constant", value: PDFName.of(name) });
export const dictionary = (keys: () => Keys): DictionaryRule => ({ is: "dictionary", keys });
const stream = (keys: () => Keys): StreamRule => ({ is: "stream", keys });
export const namesTo = (to: Rule): Rule => ({ is: "names", to });
/** An array whose indexes matter, such as coordinates. */
export const row = (of: Rule): Rule => ({ is: "array", ruleAt: () => of });
export const list = (of: Rule): Rule => ({ is: "array", ruleAt: () => of, dropsMisfits: true });
export const tuple = (...of: Rule[]): Rule => ({ is: "array", ruleAt: (place) => of[place] });
const numbers = row(number);
const names = row(anyName);
const numbersOrRows = row(either(number, numbers));

/** The first of several rules that fits. */
export function either(...rules: Rule[]): Rule {
  return { is: "choice", choose: (object, look) => rules.find((rule) => fits(rule, object, look)) };
}

/** Whether an object has the type of a rule. Its entries are checked when they are copied. */
function fits(rule: Rule, object: PDFObject, look: Resolve): boolean {
  if (rule.is === "scalar") return rule.take(object) !== undefined;
  if (rule.is === "array") return object instanceof PDFArray;
  if (rule.is === "stream") return object instanceof PDFRawStream;
  if (rule.is === "choice") return rule.choose(object, look) !== undefined;
  return object instanceof PDFDict;
}

/** The rule that an entry of a dictionary or stream selects. */
export function byEntry(key: string, rules: () => Keys): Rule {
  const name = PDFName.of(key);
  let cases: Keys | undefined;
  return {
    is: "choice",
    choose(object, look) {
      const dict = object instanceof PDFRawStream ? object.dict : object;
      if (!(dict instanceof PDFDict)) return undefined;
      const rule = caseOf((cases ??= rules()), look(dict.get(name)));
      return rule && fits(rule, object, look) ? rule : undefined;
    },
  };
}

/** The rule that the first item of an array selects. */
const byFirstItem = (rules: () => Keys): Rule => ({
  is: "choice",
  choose: (object, look) => (object instanceof PDFArray ? caseOf(rules(), look(object.get(0))) : undefined),
});

function caseOf(rules: Keys, value: PDFObject | undefined): Rule | undefined {
  if (value instanceof PDFName) return ownEntry(rules, value.asString().slice(1));
  if (value instanceof PDFNumber) return ownEntry(rules, String(value.asNumber()));
  return value ? undefined : ownEntry(rules, "absent");
}

const ownEntry = (rules: Keys, key: string) => (Object.hasOwn(rules, key) ? rules[key] : undefined);

// 7.4 Filters: the parameters of all of them.
export const decodeParms = dictionary(() => ({
  Predictor: number,
  Colors: number,
  BitsPerComponent: number,
  Columns: number,
  EarlyChange: number,
  K: number,
  EndOfLine: flag,
  EncodedByteAlign: flag,
  Rows: number,
  EndOfBlock: flag,
  BlackIs1: flag,
  DamagedRowsBeforeError: number,
  ColorTransform: number,
  JBIG2Globals: data,
}));

/** A stream without entries of its own: content, glyphs, tables. */
const data = stream(() => ({}));

// 7.10 Functions. Type 4 is PostScript in name only: arithmetic on numbers.
const shared = { FunctionType: number, Domain: numbers, Range: numbers };
const pdfFunction: Rule = byEntry("FunctionType", () => ({
  0: sampled,
  2: exponential,
  3: stitched,
  4: calculator,
}));
const sampled = stream(() => ({
  ...shared,
  Size: numbers,
  BitsPerSample: number,
  Order: number,
  Encode: numbers,
  Decode: numbers,
}));
const exponential = dictionary(() => ({ ...shared, C0: numbers, C1: numbers, N: number }));
const pdfFunctions = row(pdfFunction);
const stitched = dictionary(() => ({ ...shared, Functions: pdfFunctions, Bounds: numbers, Encode: numbers }));
const calculator = stream(() => shared);

// 8.6 Colour spaces.
const calibrated = dictionary(() => ({
  WhitePoint: numbers,
  BlackPoint: numbers,
  Gamma: either(number, numbers),
  Matrix: numbers,
  Range: numbers,
}));
const iccProfile = stream(() => ({ N: number, Alternate: colourSpace, Range: numbers }));
const inks = dictionary(() => ({
  Subtype: oneOf("DeviceN NChannel"),
  Colorants: namesTo(colourSpace),
  Process: dictionary(() => ({ ColorSpace: colourSpace, Components: names })),
}));
const colourSpace: Rule = either(
  anyName,
  byFirstItem(() => spaces),
);
/** Some viewers draw nothing in the ink None, and others the colour that it stands for, as previews do. */
const inkName = scalar((object) => (object === PDFName.of("None") ? PDFName.of("Ink") : shortName(object)));
const bare = tuple(anyName);
const spaces: Keys = {
  DeviceGray: bare,
  DeviceRGB: bare,
  DeviceCMYK: bare,
  CalGray: tuple(anyName, calibrated),
  CalRGB: tuple(anyName, calibrated),
  Lab: tuple(anyName, calibrated),
  ICCBased: tuple(anyName, iccProfile),
  Pattern: tuple(anyName, colourSpace),
  Indexed: tuple(anyName, colourSpace, number, either(text, data)),
  Separation: tuple(anyName, inkName, colourSpace, pdfFunction),
  DeviceN: tuple(anyName, row(inkName), colourSpace, pdfFunction, inks),
};

// 8.11 Optional content.
const layer: Rule = { is: "layer" };
const optionalContent = byEntry("Type", () => ({ OCG: layer, OCMD: layer, absent: layer }));
/** Viewers treat a property list with a Name as a layer. */
const untypedList: Rule = {
  is: "choice",
  choose: (object, look) =>
    object instanceof PDFDict && stringOf(look(object.get(PDFName.of("Name")))) ? layer : undefined,
};
/** What tags say of a content (14.6). Others are emptied, not left out, or BDC and EMC would not match in some viewers. */
const taggedContent = dictionary(() => ({ MCID: number, Lang: shortText, Alt: text, ActualText: text, E: text }));
const propertyList = either(
  byEntry("Type", () => ({ OCG: layer, OCMD: layer, absent: untypedList })),
  taggedContent,
);

// 11.6.6 Transparency groups, 8.10 forms, 8.9 images. No PostScript, OPI, alternate images or reference XObjects.
const group = dictionary(() => ({ S: constant("Transparency"), CS: colourSpace, I: flag }));
export const form = stream(() => ({
  Type: constant("XObject"),
  Subtype: constant("Form"),
  FormType: number,
  BBox: numbers,
  Matrix: numbers,
  Resources: resources,
  Group: group,
  StructParent: number,
  StructParents: number,
  OC: optionalContent,
}));
const renderingIntent = oneOf("AbsoluteColorimetric RelativeColorimetric Saturation Perceptual");
const image = stream(() => ({
  Type: constant("XObject"),
  Subtype: constant("Image"),
  Width: number,
  Height: number,
  ColorSpace: colourSpace,
  BitsPerComponent: number,
  Intent: renderingIntent,
  ImageMask: flag,
  Mask: either(image, numbers),
  Decode: numbers,
  Interpolate: flag,
  SMask: image,
  SMaskInData: number,
  Matte: numbers,
  StructParent: number,
  OC: optionalContent,
}));
const xObject = byEntry("Subtype", () => ({ Form: form, Image: image }));

// 8.7.4 Shadings, 8.7.3 tiling patterns.
const shadingKeys = () => ({
  ShadingType: number,
  ColorSpace: colourSpace,
  Background: numbers,
  BBox: numbers,
  AntiAlias: flag,
  Domain: numbers,
  Matrix: numbers,
  Coords: numbers,
  Extend: row(flag),
  Function: either(pdfFunction, pdfFunctions),
  BitsPerCoordinate: number,
  BitsPerComponent: number,
  BitsPerFlag: number,
  Decode: numbers,
  VerticesPerRow: number,
});
const shading = either(stream(shadingKeys), dictionary(shadingKeys));
const pattern = byEntry("PatternType", () => ({ 1: tiling, 2: shadingPattern }));
const tiling = stream(() => ({
  Type: constant("Pattern"),
  PatternType: number,
  PaintType: number,
  TilingType: number,
  BBox: numbers,
  XStep: number,
  YStep: number,
  Resources: resources,
  Matrix: numbers,
}));
const shadingPattern = dictionary(() => ({
  Type: constant("Pattern"),
  PatternType: number,
  Shading: shading,
  Matrix: numbers,
  ExtGState: graphicsState,
}));

// 8.4.5 Graphics state parameters, without those of printing presses (overprint, halftones, black generation, transfer
// functions), which viewers follow or not.
const blendMode = oneOf(
  "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity",
);
const oneTransfer = either(oneOf("Identity Default"), pdfFunction);
const transfer = either(oneTransfer, row(oneTransfer));
const softMask = dictionary(() => ({
  Type: constant("Mask"),
  S: oneOf("Alpha Luminosity"),
  G: form,
  BC: numbers,
  TR: transfer,
}));
const graphicsState = dictionary(() => ({
  Type: constant("ExtGState"),
  LW: number,
  LC: number,
  LJ: number,
  ML: number,
  D: tuple(numbers, number),
  RI: renderingIntent,
  Font: tuple(font, number),
  FL: number,
  SM: number,
  SA: flag,
  BM: either(blendMode, list(blendMode)),
  SMask: either(oneOf("None"), softMask),
  CA: number,
  ca: number,
  AIS: flag,
  TK: flag,
  UseBlackPtComp: oneOf("ON OFF Default"),
}));

// 9.8 Font descriptors, 9.9 embedded font programs.
const fontProgram = stream(() => ({
  Subtype: oneOf("Type1C CIDFontType0C OpenType"),
  Length1: number,
  Length2: number,
  Length3: number,
}));
const fontDescriptor = dictionary(() => ({
  Type: constant("FontDescriptor"),
  FontName: anyName,
  FontStretch: oneOf(
    "UltraCondensed ExtraCondensed Condensed SemiCondensed Normal SemiExpanded Expanded ExtraExpanded UltraExpanded",
  ),
  FontWeight: number,
  Flags: number,
  FontBBox: numbers,
  ItalicAngle: number,
  Ascent: number,
  Descent: number,
  Leading: number,
  CapHeight: number,
  XHeight: number,
  StemV: number,
  StemH: number,
  AvgWidth: number,
  MaxWidth: number,
  MissingWidth: number,
  CharSet: text,
  CIDSet: data,
  FontFile: fontProgram,
  FontFile2: fontProgram,
  FontFile3: fontProgram,
}));

// 9.7.3 and 9.7.5 Character collections and CMaps.
const systemInfo = dictionary(() => ({ Registry: shortText, Ordering: shortText, Supplement: number }));
const characterMap: Rule = stream(() => ({
  Type: constant("CMap"),
  CMapName: anyName,
  CIDSystemInfo: systemInfo,
  WMode: number,
  UseCMap: either(anyName, characterMap),
}));

// 9.6 Simple fonts, 9.7 composite fonts.
const encoding = dictionary(() => ({
  Type: constant("Encoding"),
  BaseEncoding: oneOf("StandardEncoding WinAnsiEncoding MacRomanEncoding MacExpertEncoding"),
  Differences: row(either(number, anyName)),
}));
const anyFont = {
  Type: constant("Font"),
  Subtype: anyName,
  BaseFont: anyName,
  ToUnicode: either(anyName, data),
};
const simpleFont = dictionary(() => ({
  ...anyFont,
  FirstChar: number,
  LastChar: number,
  Widths: numbers,
  FontDescriptor: fontDescriptor,
  Encoding: either(anyName, encoding),
}));
const type3Font = dictionary(() => ({
  ...simpleFont.keys(),
  FontBBox: numbers,
  FontMatrix: numbers,
  CharProcs: namesTo(data),
  Resources: resources,
}));
const compositeFont = dictionary(() => ({
  ...anyFont,
  Encoding: either(anyName, characterMap),
  DescendantFonts: tuple(descendantFont),
}));
const descendantFont = dictionary(() => ({
  ...anyFont,
  CIDSystemInfo: systemInfo,
  FontDescriptor: fontDescriptor,
  DW: number,
  W: numbersOrRows,
  DW2: numbers,
  W2: numbersOrRows,
  CIDToGIDMap: either(oneOf("Identity"), data),
}));
/** A font without a program: programs of readers that have none for it would draw what they like. */
const substitute: Rule = {
  is: "made",
  make: (source, look, to) => writeSubstitute(source as PDFDict, look, to),
};
const blankDescendant = dictionary(() => ({
  ...descendantFont.keys(),
  Subtype: constant("CIDFontType2"),
  BaseFont: constant(blankName),
  FontDescriptor: { is: "made", make: (_source, _look, to) => writeBlankDescriptor(to) },
  CIDToGIDMap: constant("Identity"),
}));
const blankComposite = dictionary(() => ({
  ...compositeFont.keys(),
  BaseFont: constant(blankName),
  DescendantFonts: tuple(blankDescendant),
}));
const containment = new WeakMap<PDFDict, boolean>();
const ifContained = (rule: Rule, otherwise: Rule): Rule => ({
  is: "choice",
  choose(object, look) {
    if (!(object instanceof PDFDict)) return undefined;
    if (!containment.has(object)) containment.set(object, isContained(object, look));
    return containment.get(object) ? rule : otherwise;
  },
});
const simple = ifContained(simpleFont, substitute);
const font: Rule = either(
  byEntry("Subtype", () => ({
    Type1: simple,
    MMType1: simple,
    TrueType: simple,
    Type3: type3Font,
    Type0: ifContained(compositeFont, blankComposite),
  })),
  substitute,
);

// 7.8.3 Resources.
export const resources: Rule = dictionary(() => ({
  Font: namesTo(font),
  XObject: namesTo(xObject),
  ExtGState: namesTo(graphicsState),
  ColorSpace: namesTo(colourSpace),
  Pattern: namesTo(pattern),
  Shading: namesTo(shading),
  Properties: namesTo(propertyList),
  ProcSet: list(oneOf("PDF Text ImageB ImageC ImageI")),
}));

// 7.7.3.3 Pages. Inherited entries, contents and annotations are written by `clean.ts`.
export const contents = data;
export const page = dictionary(() => ({
  Type: constant("Page"),
  BleedBox: numbers,
  TrimBox: numbers,
  ArtBox: numbers,
  Group: group,
  StructParents: number,
  Tabs: oneOf("R C S"),
}));

// 12.5 Annotations by subtype. Actions and appearances are written by `pdf-annotations.ts`.
const placed: Keys = {
  Type: constant("Annot"),
  Subtype: anyName,
  Rect: numbers,
  Contents: text,
  StructParent: number,
  OC: optionalContent,
};
const drawn: Keys = {
  ...placed,
  C: numbers,
  CA: number,
  ca: number,
  BM: blendMode,
  Border: numbersOrRows,
  BS: dictionary(() => ({ Type: constant("Border"), W: number, S: oneOf("S D B I U"), D: numbers })),
};
const cloudy = dictionary(() => ({ S: oneOf("S C"), I: number }));
const oneEnding = oneOf("Square Circle Diamond OpenArrow ClosedArrow None Butt ROpenArrow RClosedArrow Slash");
const lineEnding = either(oneEnding, row(oneEnding));
const purpose = oneOf(
  "FreeText FreeTextCallout FreeTextTypeWriter LineArrow LineDimension PolygonCloud PolyLineDimension PolygonDimension",
);
const annotation = (keys: Keys) => dictionary(() => ({ ...drawn, ...keys }));
const shape = annotation({ IC: numbers, RD: numbers, BE: cloudy });
const vertices = annotation({ Vertices: numbers, LE: lineEnding, IC: numbers, BE: cloudy, IT: purpose });
const marked = annotation({ QuadPoints: numbers });
export const annotations: Record<string, DictionaryRule> = {
  Text: annotation({ Name: oneOf("Comment Key Note Help NewParagraph Paragraph Insert") }),
  // Its border would be drawn by some programs alone.
  Link: dictionary(() => ({ ...placed, QuadPoints: numbers, H: oneOf("N I O P") })),
  FreeText: annotation({ DA: shortText, Q: number, CL: numbers, LE: lineEnding, RD: numbers, BE: cloudy, IT: purpose }),
  Line: annotation({
    L: numbers,
    LE: lineEnding,
    IC: numbers,
    LL: number,
    LLE: number,
    LLO: number,
    Cap: flag,
    CP: oneOf("Inline Top"),
    CO: numbers,
    IT: purpose,
  }),
  Square: shape,
  Circle: shape,
  Polygon: vertices,
  PolyLine: vertices,
  Highlight: marked,
  Underline: marked,
  Squiggly: marked,
  StrikeOut: marked,
  Caret: annotation({ RD: numbers, Sy: oneOf("P None") }),
  Stamp: annotation({
    Name: oneOf(
      "Approved Experimental NotApproved AsIs Expired NotForPublicRelease Confidential Final Sold Departmental ForComment TopSecret Draft ForPublicRelease",
    ),
  }),
  Ink: annotation({ InkList: row(numbers) }),
  Watermark: annotation({
    FixedPrint: dictionary(() => ({ Type: constant("FixedPrint"), Matrix: numbers, H: number, V: number })),
  }),
};

/** Other visible annotations, such as form fields, become stamps with the same appearance. */
export const stillPicture = dictionary(() => ({
  Type: constant("Annot"),
  Subtype: constant("Stamp"),
  Rect: numbers,
  StructParent: number,
  OC: optionalContent,
}));

export const copyReference: Rule = { is: "copied" };

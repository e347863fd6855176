import { PDFArray, PDFBool, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import type { Resolve } from "../pdf/pdf-reader.ts";

/**
 * Parts of a page that programs show differently. Everything is odd unless it is known to be shown alike: settings of
 * presses, colours by names of inks, mixing with what lies below, layers, pictures with decoders of their own.
 */

export type Oddity = "pictures" | "settings";
type Kind = "ExtGState" | "ColorSpace" | "Shading" | "Pattern" | "Properties" | "Image";

const name = (text: string) => PDFName.of(text);
const namesOf = (text: string) => new Set(text.split(" ").map(name));

/** Undefined for a resource of a page that all programs show alike. */
export function oddityOf(kind: Kind, value: PDFObject, look: Resolve): Oddity | undefined {
  const object = look(value);
  const dict = object instanceof PDFRawStream ? object.dict : object;
  if (kind === "ColorSpace") return isPlainColour(object, look) ? undefined : "settings";
  if (!(dict instanceof PDFDict)) return "settings";
  const entry = (key: string) => look(dict.get(name(key)));
  switch (kind) {
    case "ExtGState":
      return dict.entries().every(([key, item]) => isPlainState(key, look(item))) ? undefined : "settings";
    case "Shading":
      return isPlainShading(dict, look) ? undefined : "settings";
    case "Pattern": {
      const shading = entry("Shading");
      return shading === undefined ? undefined : oddityOf("Shading", shading, look);
    }
    case "Properties":
      return ["OCGs", "VE", "Intent", "Usage"].some((key) => dict.has(name(key))) || layers.has(entry("Type"))
        ? "settings"
        : undefined;
    case "Image":
      return isPlainPicture(dict, look) ? undefined : "pictures";
  }
}

const layers = new Set<unknown>(namesOf("OCG OCMD"));
const deviceColours = namesOf("DeviceGray DeviceRGB DeviceCMYK G RGB CMYK");
const isOneOf = (value: PDFObject | undefined, ...all: (PDFObject | undefined)[]) => all.includes(value);
const isNumber = (value: PDFObject | undefined) => value instanceof PDFNumber;
const isShare = (value: PDFObject | undefined) =>
  value instanceof PDFNumber && value.asNumber() >= 0 && value.asNumber() <= 1;
const isAny = () => true;

/** Graphics states (ISO 32000-2, 8.4.5) without overprint, transfer functions, halftones and mixing of colours. */
const plainStates = new Map<PDFName, (value: PDFObject | undefined) => boolean>(
  Object.entries({
    Type: isAny,
    LW: isNumber,
    LC: isNumber,
    LJ: isNumber,
    ML: isNumber,
    D: isAny,
    FL: isNumber,
    SM: isNumber,
    CA: isShare,
    ca: isShare,
    OPM: isNumber,
    SA: isAny,
    TK: isAny,
    Font: isAny,
    RI: isAny,
    AIS: (value) => value === PDFBool.False,
    OP: (value) => value === PDFBool.False,
    op: (value) => value === PDFBool.False,
    BM: (value) => isOneOf(value, name("Normal"), name("Compatible")),
    SMask: (value) => value === name("None"),
    TR: (value) => isOneOf(value, name("Identity")),
    TR2: (value) => isOneOf(value, name("Default"), name("Identity")),
    HT: (value) => value === name("Default"),
    BG2: (value) => value === name("Default"),
    UCR2: (value) => value === name("Default"),
  } satisfies Record<string, (value: PDFObject | undefined) => boolean>).map(([key, isPlain]) => [name(key), isPlain]),
);
const isPlainState = (key: PDFName, value: PDFObject | undefined) => plainStates.get(key)?.(value) ?? false;

/** Those of devices and of profiles with as many components as the space that stands for it has. */
function isPlainColour(space: PDFObject | undefined, look: Resolve): boolean {
  if (space instanceof PDFName) return deviceColours.has(space) || space === name("Pattern");
  if (!(space instanceof PDFArray)) return false;
  const [family, base] = [look(space.get(0)), look(space.get(1))];
  if (family === name("Pattern")) return base === undefined;
  if (isOneOf(family, name("Indexed"), name("I")))
    return base instanceof PDFName && deviceColours.has(base) ? true : isProfile(base, look);
  return isProfile(space, look);
}

function isProfile(space: PDFObject | undefined, look: Resolve): boolean {
  if (!(space instanceof PDFArray) || look(space.get(0)) !== name("ICCBased")) return false;
  const profile = look(space.get(1));
  if (!(profile instanceof PDFRawStream)) return false;
  const [components, alternate] = ["N", "Alternate"].map((key) => look(profile.dict.get(name(key))));
  const usual = { 1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK" }[
    components instanceof PDFNumber ? components.asNumber() : 0
  ];
  return usual !== undefined && isOneOf(alternate, undefined, name(usual));
}

/** Along a line or circles, without a background. */
function isPlainShading(dict: PDFDict, look: Resolve): boolean {
  const type = look(dict.get(name("ShadingType")));
  const isAxial = type instanceof PDFNumber && [2, 3].includes(type.asNumber());
  return isAxial && !dict.has(name("Background")) && isPlainColour(look(dict.get(name("ColorSpace"))), look);
}

const plainFilters = namesOf(
  "FlateDecode Fl DCTDecode DCT LZWDecode LZW ASCII85Decode A85 ASCIIHexDecode AHx RunLengthDecode RL CCITTFaxDecode CCF",
);

function isPlainPicture(dict: PDFDict, look: Resolve): boolean {
  const entry = (key: string) => look(dict.get(name(key)));
  const filter = entry("Filter");
  const filters = filter instanceof PDFArray ? filter.asArray().map((value) => look(value)) : filter ? [filter] : [];
  if (!filters.every((one) => one instanceof PDFName && plainFilters.has(one))) return false;
  if (dict.has(name("OC")) || dict.has(name("SMaskInData"))) return false;
  const isStencil = entry("ImageMask") === PDFBool.True;
  return isStencil || isPlainColour(entry("ColorSpace"), look);
}

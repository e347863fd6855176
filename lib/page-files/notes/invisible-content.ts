import { hash } from "node:crypto";
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { Resolve, PdfReader } from "../pdf/pdf-reader.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";

/**
 * Content of a PDF that is not drawn here, and that other programs or a printer may show: notes whatever their
 * appearance, attachments, actions, values of form fields, layers. A comparison of drawn pages can't see it.
 */

/** Its kinds, as people read them. */
const invisibleKinds = [
  "actions",
  "attachments",
  "notes",
  "links",
  "form fields",
  "layers",
  "media",
  "bookmarks",
  "other",
] as const;
export type InvisibleKind = (typeof invisibleKinds)[number];

const name = (text: string) => PDFName.of(text);
const keyed = (kind: InvisibleKind, keys: string) => keys.split(" ").map((key) => [name(key), kind] as const);

/** Keys that show something, run something or carry something. */
const keys = new Map<PDFName, InvisibleKind>([
  ...keyed("layers", "OCProperties Usage OC VE"),
  ...keyed("form fields", "XFA NeedAppearances"),
  ...keyed("actions", "AA JS"),
  ...keyed("attachments", "Collection EmbeddedFiles EF AF"),
  ...keyed("media", "RichMediaContent RichMediaSettings 3DD"),
  ...keyed("other", "Alternates OPI Ref Thumb"),
]);
/** Actions (ISO 32000-2, 12.6.4). One that leads to a place of the same file does no more than a click on a page number. */
const actions = new Set(
  (
    "JavaScript Hide SetOCGState Rendition GoTo3DView RichMediaExecute Launch SubmitForm ResetForm ImportData GoToR " +
    "GoToE GoToDp Thread Sound Movie Named Trans"
  )
    .split(" ")
    .map(name),
);
/** Kinds of annotations (12.5.6) that are more than notes. */
const annotations = new Map<PDFName, InvisibleKind>([
  ...keyed("form fields", "Widget"),
  ...keyed("attachments", "FileAttachment"),
  ...keyed("media", "Screen Movie Sound RichMedia 3D"),
]);
/** Bits of an annotation's flags: hidden, not on the screen, either by turns. */
const unseen = 2 | 32 | 256;
const maxAttachmentBytes = 30_000_000;

/** The kinds of invisible content that only the file has, in the order of `invisibleKinds`. */
export function invisibleAdded(file: PdfReader, document: PdfReader): InvisibleKind[] {
  const counts = countInvisible(file);
  if (counts.size === 0) return [];
  const ofDocument = countInvisible(document);
  const more = new Set(
    [...counts].filter(([what, { count }]) => count > (ofDocument.get(what)?.count ?? 0)).map(([, { kind }]) => kind),
  );
  return invisibleKinds.filter((kind) => more.has(kind));
}

type Counts = Map<string, { kind: InvisibleKind; count: number }>;

/** How many there are of each in all that the catalog leads to. */
function countInvisible(source: PdfReader): Counts {
  const look: Resolve = (value) => source.look(value);
  const counts: Counts = new Map();
  const visited = new Set<string>();
  const open: PDFObject[] = [source.catalog];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next instanceof PDFRef) {
      if (visited.has(next.tag)) continue;
      visited.add(next.tag);
    }
    const object = look(next);
    if (object instanceof PDFArray) for (const item of object.asArray()) open.push(item);
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    for (const value of dict.values()) open.push(value);
    for (const [kind, what] of [...invisibleIn(dict, look), ...attached(object, look)]) {
      const entry = counts.get(what);
      if (entry) entry.count += 1;
      else counts.set(what, { kind, count: 1 });
    }
  }
  return counts;
}

type Invisible = [kind: InvisibleKind, what: string];

function invisibleIn(dict: PDFDict, look: Resolve): Invisible[] {
  const entry = (key: string) => look(dict.get(name(key)));
  const all: Invisible[] = [];
  for (const [key, kind] of keys) if (dict.has(key)) all.push([kind, String(key)]);
  const action = entry("S");
  if (action === name("URI")) all.push(["links", `address ${textOf(entry("URI"))}`]);
  else if (action instanceof PDFName && actions.has(action)) all.push(["actions", `action ${action}`]);
  const unit = entry("UserUnit");
  if (unit) all.push(["other", `unit ${unit}`]);
  if (dict.has(name("Title")) && dict.has(name("Parent"))) all.push(["bookmarks", `title ${textOf(entry("Title"))}`]);
  if (dict.has(name("FT"))) all.push(["form fields", `field ${entry("FT")} ${textOf(entry("V"))}`]);
  return [...all, ...layersOf(dict, look), ...annotationOf(dict, look)];
}

/** Layers that are shown by turns (8.11.4), and how many are hidden. */
function layersOf(dict: PDFDict, look: Resolve): Invisible[] {
  const hidden = look(dict.get(name("OFF")));
  const isByEvents = dict.has(name("Event")) && dict.has(name("Category"));
  return [
    ...(hidden instanceof PDFArray ? ([["layers", `hidden ${hidden.size()}`]] satisfies Invisible[]) : []),
    ...(isByEvents ? ([["layers", "by events"]] satisfies Invisible[]) : []),
  ];
}

/** An annotation (12.5) is what has a subtype and a rectangle: its type may be left out. */
function annotationOf(dict: PDFDict, look: Resolve): Invisible[] {
  const entry = (key: string) => look(dict.get(name(key)));
  const subtype = entry("Subtype");
  if (!(subtype instanceof PDFName) || !dict.has(name("Rect"))) return [];
  const kind = annotations.get(subtype) ?? "notes";
  const texts = ["Contents", "RC", "OverlayText", "Subj"].map((key) => textOf(entry(key)));
  const isPlain = subtype === name("Link") || subtype === name("Popup");
  const all: Invisible[] = [];
  if (!isPlain || texts.some(Boolean)) all.push([kind, `annotation ${subtype} ${texts.join("\n")}`]);
  const flags = entry("F");
  if (flags instanceof PDFNumber && flags.asNumber() & unseen) all.push([kind, "unseen"]);
  const appearances = entry("AP");
  const drawn = appearances instanceof PDFDict ? look(appearances.get(name("N"))) : undefined;
  // Shown under the pointer, or while pressed.
  if (appearances instanceof PDFDict && (appearances.has(name("R")) || appearances.has(name("D"))))
    all.push([kind, "under the pointer"]);
  if (drawn instanceof PDFDict) all.push([kind, "by state"]);
  // Links are not drawn, but their borders are.
  if (!drawn && (!isPlain || (subtype === name("Link") && dict.has(name("C"))))) all.push([kind, `undrawn ${subtype}`]);
  return all;
}

/** An attached file, by its content. */
function attached(object: PDFObject | undefined, look: Resolve): Invisible[] {
  if (!(object instanceof PDFRawStream) || look(object.dict.get(name("Type"))) !== name("EmbeddedFile")) return [];
  const content = unpackedStream(object, look, maxAttachmentBytes) ?? object.contents;
  return [["attachments", `content ${hash("sha256", content)}`]];
}

/** A text, or its digest. */
function textOf(value: PDFObject | undefined): string {
  if (value instanceof PDFRawStream) return hash("sha256", value.contents);
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return "";
  const text = value.decodeText();
  return text.length > 100 ? hash("sha256", text) : text;
}

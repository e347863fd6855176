import {
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { PdfCopier } from "./pdf-copier.ts";
import type { Destinations } from "./pdf-destinations.ts";
import type { Resolve } from "./pdf-reader.ts";
import { annotations, form, stillPicture } from "./pdf-rules.ts";

/** Copies annotations (ISO 32000-2, 12.5) with appearance and links to the web and to pages, and no other behaviour. */

const name = (text: string) => PDFName.of(text);

/** Bits of an annotation's flags (12.5.3). */
const flags = { hidden: 2, print: 4, noZoom: 8, noRotate: 16, noView: 32, readOnly: 64, locked: 128 };

/**
 * A function that copies annotations into `target`, each once; undefined for annotations that previews don't show. A sealed page
 * has one text: screen and print show the same.
 */
export function annotationCopier(copier: PdfCopier, target: PDFContext, destinations: Destinations) {
  const copies = new Map<PDFDict, PDFRef | undefined>();
  return (value: PDFObject): PDFRef | undefined => {
    copier.spend();
    const source = copier.look(value);
    if (!(source instanceof PDFDict)) return undefined;
    if (!copies.has(source)) copies.set(source, copyAnnotation(source, copier, target, destinations));
    const copy = copies.get(source);
    if (copy) copier.copies.set(source, copy);
    return copy;
  };
}

function copyAnnotation(
  source: PDFDict,
  copier: PdfCopier,
  target: PDFContext,
  destinations: Destinations,
): PDFRef | undefined {
  const bits = copier.look(source.get(name("F")));
  const flag = bits instanceof PDFNumber ? bits.asNumber() : 0;
  const isSeen = !(flag & (flags.hidden | flags.noView));
  const subtype = textOf(copier.look(source.get(name("Subtype"))));
  if (!isSeen || subtype === "Popup") return undefined;
  const appearance = appearanceOf(source, copier.look);
  const rule = Object.hasOwn(annotations, subtype) ? annotations[subtype] : undefined;
  // Without one, each program draws what it likes.
  if (!appearance && subtype !== "Link") return undefined;
  const copy = copier.dictionary(source, rule ?? stillPicture);
  const copiedFlags = (flag & (flags.noZoom | flags.noRotate)) | flags.print;
  copy.set(name("F"), target.obj(rule ? copiedFlags : copiedFlags | flags.readOnly | flags.locked));
  if (subtype === "Link") copy.set(name("Border"), target.obj([0, 0, 0]));
  const drawn = appearance && copier.copy(appearance, form);
  if (drawn) copy.set(name("AP"), target.obj({ N: drawn }));
  const link = subtype === "Link" && webAddressOf(source, copier.look);
  if (link) copy.set(name("A"), target.obj({ S: "URI", URI: link }));
  const place = subtype === "Link" && destinations.copyOf(source, copier);
  if (place) copy.set(name("Dest"), place);
  return copier.place(copy);
}

const textOf = (object: PDFObject | undefined) => (object instanceof PDFName ? object.decodeText() : "");

/** The normal appearance (12.5.5), of the current state if there are several. */
function appearanceOf(annotation: PDFDict, look: Resolve): PDFObject | undefined {
  const appearances = look(annotation.get(name("AP")));
  const normal = appearances instanceof PDFDict ? appearances.get(name("N")) : undefined;
  const states = look(normal);
  if (states instanceof PDFRawStream) return normal;
  if (!(states instanceof PDFDict)) return undefined;
  const parent = look(annotation.get(name("Parent")));
  const value = (of: PDFObject | undefined, key: string) =>
    of instanceof PDFDict ? look(of.get(name(key))) : undefined;
  const state = value(annotation, "AS") ?? value(annotation, "V") ?? value(parent, "V");
  const chosen = state instanceof PDFName && states.has(state) ? state : name("Off");
  const appearance = states.get(chosen);
  return look(appearance) instanceof PDFRawStream ? appearance : undefined;
}

/** In bytes; browsers accept no more either. */
const maxAddressLength = 8000;
const protocols = ["http:", "https:", "mailto:"];

/** The normalized http, https or mailto address of a URI action (12.6.4.8); undefined for every other action. */
export function webAddressOf(link: PDFDict, look: Resolve): PDFString | undefined {
  const action = look(link.get(name("A")));
  if (!(action instanceof PDFDict) || look(action.get(name("S"))) !== name("URI")) return undefined;
  const uri = look(action.get(name("URI")));
  if (!(uri instanceof PDFString || uri instanceof PDFHexString) || uri.sizeInBytes() > maxAddressLength)
    return undefined;
  // Browsers ignore control characters, which would hide the scheme from this check.
  const written = Buffer.from(uri.asBytes())
    .toString()
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
  if (!URL.canParse(written)) return undefined;
  const { protocol, href } = new URL(written);
  return protocols.includes(protocol) ? PDFString.of(href.replace(/[\\()]/g, "\\$&")) : undefined;
}

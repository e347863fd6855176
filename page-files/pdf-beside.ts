import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import { mebibytesInBytes } from "#units";
import { pagesOf } from "./pdf-pages.ts";
import type { Rejection } from "./kinds.ts";
import { cleanName, fixedFields, listed, named } from "./notes.ts";
import { forbiddenByPassword } from "./pdf.ts";
import { PdfReader } from "./pdf-reader.ts";
import { unpackedStream } from "./pdf-streams.ts";
import { bytesByPdfium } from "./pdfium-copy.ts";
import { signerName } from "./signer-name.ts";

/**
 * What a PDF has beside the look of its pages (ISO 32000-2), as far as a person would miss it in the sealed PDF, which has
 * none of it. An ordinary file of an office program gets one note at most.
 */

const name = (text: string) => PDFName.of(text);
/** Objects of each kind beyond are not visited. */
const maxVisited = 20_000;
/** Of a metadata or XFA stream. */
const maxTextBytes = mebibytesInBytes(1);
const printed = "print it to a PDF and add that";

/** Notes on a PDF before a page of it is drawn, or why its pages are not the document. */
export function notesBeside(document: PDFiumDocument): { notes: string[] } | Rejection {
  const pdf = new Beside(new PdfReader(bytesByPdfium(document)), document.getPageCount());
  const refused = pdf.portfolio() ?? pdf.xfa();
  if (refused) return { refused };
  const gone = "which the sealed PDF will not have";
  const more = (things: string[], of = gone, verb = "has") =>
    things.length > 0 ? [`${verb} ${listed(things)}, ${of}`] : [];
  const forbidden = forbiddenByPassword(document);
  const password = forbidden.length > 0 ? [`an owner password that forbids ${listed(forbidden)}`] : [];
  return {
    notes: [
      ...more(pdf.signatures()),
      ...more(pdf.files(), gone, "contains"),
      ...more(pdf.comments(), "whose text the sealed PDF will not have"),
      ...more(pdf.media(), "of which the sealed PDF has no more than a picture"),
      ...(pdf.hasFields() ? [fixedFields] : []),
      ...more(pdf.layers(), "which stay hidden in the sealed PDF"),
      ...more(pdf.structure()),
      ...more(password),
    ],
  };
}

/** Commonly agreed names of e-invoices and orders in PDFs (Factur-X, ZUGFeRD, XRechnung, Order-X). */
const eInvoices = /^(factur-x|zugferd-invoice|xrechnung|order-x)\.xml$/i;
const media = new Set(["Movie", "Screen", "Sound", "RichMedia", "3D"]);
/** Annotations that PDFium does not draw without an appearance, and other programs do. */
const undrawn = new Set(["FreeText", "Line", "Polygon", "PolyLine", "Stamp", "Caret"]);
const hidden = 2 | 32;
const readOnly = 1;
const pushButton = 1 << 16;

class Beside {
  private readonly source: PdfReader;
  private readonly pages: PDFDict[];
  private readonly annotations: PDFDict[];

  constructor(source: PdfReader, count: number) {
    this.source = source;
    this.pages = pagesOf(source, count).map(({ node }) => node);
    const all = this.pages.flatMap((page) => page.get(name("Annots")) ?? []);
    this.annotations = this.below(all).filter((one) => !(this.number(one, "F") & hidden));
  }

  portfolio(): string | undefined {
    const files = this.embedded();
    const payload = files.some((file) => this.at(file, "AFRelationship") === name("EncryptedPayload"));
    if (payload) return `contains its document encrypted: open that, ${printed}`;
    const collection = this.at(this.source.catalog, "Collection");
    // Hidden, the page is shown.
    if (!(collection instanceof PDFDict) || this.at(collection, "View") === name("H")) return undefined;
    const many = files.length === 0 ? "" : ` of ${files.length} ${files.length === 1 ? "file" : "files"}`;
    return `is a portfolio${many}: add the files in it`;
  }

  /** A dynamic form: its pages are a stand-in for those that a program draws. */
  xfa(): string | undefined {
    const { catalog } = this.source;
    const packets = this.streams(this.at(catalog, "AcroForm", "XFA"));
    const isDynamic =
      packets.length > 0 &&
      (this.formFields().length === 0 || packets.some((packet) => /dynamicRender>\s*required/.test(this.text(packet))));
    if (!isDynamic && this.at(catalog, "NeedsRendering") !== PDFBool.True) return undefined;
    return `is an XFA form, whose pages few programs show: ${printed}`;
  }

  signatures(): string[] {
    const values = this.formFields().flatMap((field) => {
      const value = this.at(field, "V");
      return value instanceof PDFDict && value.has(name("Contents")) ? [value] : [];
    });
    const isStamp = (value: PDFDict) =>
      this.at(value, "Type") === name("DocTimeStamp") || this.at(value, "SubFilter") === name("ETSI.RFC3161");
    const of = (signed: PDFDict[], thing: string) =>
      named(
        thing,
        [...new Set(signed)].map((value) => this.signerOf(value)),
        { joined: "of" },
      );
    return [
      ...of(
        values.filter((value) => !isStamp(value)),
        "signature",
      ),
      ...of(values.filter(isStamp), "time stamp"),
    ];
  }

  /** By the certificate, which the file's author can't write as they like; else by the name beside it. */
  private signerOf(value: PDFDict): string {
    const certificate = this.at(value, "Cert");
    const first = certificate instanceof PDFArray ? this.source.look(certificate.get(0)) : certificate;
    const bytes = bytesOf(first) ?? bytesOf(this.at(value, "Contents"));
    return cleanName((bytes && signerName(bytes)) ?? this.words(value, "Name"));
  }

  files(): string[] {
    const names = this.embedded().map((file) => cleanName(this.words(file, "UF") || this.words(file, "F")));
    const invoices = names.filter((file) => eInvoices.test(file));
    const others = names.filter((file) => !eInvoices.test(file));
    return [
      ...invoices.map((file) => `the e-invoice ${file}`),
      ...named(
        "attached file",
        others.map((file) => file && `“${file}”`),
      ),
    ];
  }

  comments(): string[] {
    const texts = this.annotations.filter((one) => {
      const subtype = this.subtype(one);
      const isComment = subtype === "Text" || (subtype !== "FreeText" && one.has(name("Popup")));
      return isComment && this.words(one, "Contents").trim() !== "";
    });
    const unseen = this.annotations.filter((one) => undrawn.has(this.subtype(one)) && !this.at(one, "AP", "N"));
    return [
      ...named(
        "comment",
        texts.map(() => ""),
      ),
      ...named(
        "note that only some programs show",
        unseen.map(() => ""),
        { plural: "notes that only some programs show" },
      ),
    ];
  }

  media(): string[] {
    return this.annotations.some((one) => media.has(this.subtype(one))) ? ["a film, a sound or a model"] : [];
  }

  hasFields(): boolean {
    return this.formFields().some((field) => {
      const flags = this.number(field, "Ff");
      const type = this.at(field, "FT");
      const isField = type === name("Tx") || type === name("Ch") || (type === name("Btn") && !(flags & pushButton));
      return isField && !(flags & readOnly);
    });
  }

  layers(): string[] {
    const config = this.at(this.source.catalog, "OCProperties", "D");
    const off = this.at(config, "OFF");
    const isHidden = (off instanceof PDFArray && off.size() > 0) || this.at(config, "BaseState") === name("OFF");
    return isHidden ? ["hidden layers"] : [];
  }

  structure(): string[] {
    const { catalog } = this.source;
    const script =
      this.at(catalog, "OpenAction", "S") === name("JavaScript") || this.at(catalog, "Names", "JavaScript");
    const metadata = this.at(catalog, "Metadata");
    const claim = /pdfaid:part\s*(?:=\s*["']|>)\s*(\d)/.exec(this.text(metadata))?.[1];
    return [
      ...(this.at(catalog, "StructTreeRoot", "K") ? ["tags for screen readers"] : []),
      ...(this.at(catalog, "Outlines", "First") ? ["bookmarks"] : []),
      ...(script ? ["scripts"] : []),
      ...(claim ? [`the form of PDF/A-${claim}`] : []),
    ];
  }

  /** All embedded files, of the document and of pages and annotations. */
  private embedded(): PDFDict[] {
    const { catalog } = this.source;
    const roots = [
      this.at(catalog, "Names", "EmbeddedFiles"),
      this.at(catalog, "AF"),
      ...this.pages.map((page) => page.get(name("AF"))),
      ...this.annotations.map((one) => one.get(name("FS"))),
    ];
    return this.below(roots, "Kids", "Names").filter((one) => this.at(one, "EF") instanceof PDFDict);
  }

  private formFields(): PDFDict[] {
    const widgets = this.annotations.filter((one) => this.subtype(one) === "Widget");
    return this.below([this.at(this.source.catalog, "AcroForm", "Fields"), ...widgets], "Kids", "Parent");
  }

  /** The dictionaries below some values, by arrays and the entries named, each once. */
  private below(values: (PDFObject | undefined)[], ...keys: string[]): PDFDict[] {
    const visited = new Set<PDFObject>();
    const open = values.toReversed();
    while (open.length > 0 && visited.size < maxVisited) {
      const object = this.source.look(open.pop());
      if (!object || visited.has(object)) continue;
      if (object instanceof PDFArray) for (const one of object.asArray().toReversed()) open.push(one);
      if (object instanceof PDFDict) for (const key of keys) open.push(object.get(name(key)));
      if (object instanceof PDFArray || object instanceof PDFDict) visited.add(object);
    }
    return [...visited].filter((object) => object instanceof PDFDict);
  }

  /** What entries lead to, one after the other. */
  private at(of: PDFObject | undefined, ...keys: string[]): PDFObject | undefined {
    return keys.reduce((object, key) => {
      const dict = object instanceof PDFRawStream ? object.dict : object;
      return dict instanceof PDFDict ? this.source.look(dict.get(name(key))) : undefined;
    }, of);
  }

  private number(of: PDFDict, key: string): number {
    const value = this.at(of, key);
    return value instanceof PDFNumber ? value.asNumber() : 0;
  }

  private subtype(annotation: PDFDict): string {
    const value = this.at(annotation, "Subtype");
    return value instanceof PDFName ? value.decodeText() : "";
  }

  private words(of: PDFDict, key: string): string {
    const value = this.at(of, key);
    const isShort = (value?.sizeInBytes() ?? 0) <= maxWords;
    return isShort && (value instanceof PDFString || value instanceof PDFHexString) ? value.decodeText() : "";
  }

  private streams(value: PDFObject | undefined): PDFRawStream[] {
    const list = value instanceof PDFArray ? value.asArray().slice(0, 50) : [value];
    return list.map((one) => this.source.look(one)).filter((one) => one instanceof PDFRawStream);
  }

  private text(stream: PDFObject | undefined): string {
    const isShort = stream instanceof PDFRawStream && stream.contents.length <= maxTextBytes;
    const bytes = isShort && unpackedStream(stream, (value) => this.source.look(value), maxTextBytes);
    return bytes ? Buffer.from(bytes).toString("latin1") : "";
  }
}

/** In bytes, as written. */
const maxWords = 10_000;
const maxSignature = 400_000;

const bytesOf = (value: PDFObject | undefined) =>
  (value instanceof PDFHexString || value instanceof PDFString) && value.sizeInBytes() <= maxSignature
    ? Buffer.from(value.asBytes())
    : undefined;

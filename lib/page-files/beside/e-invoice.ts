import {
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { mebibytesInBytes } from "../../units.ts";
import { PdfEntries } from "../pdf/pdf-entries.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";

const name = (text: string) => PDFName.of(text);
/** Commonly agreed names of e-invoices and orders in PDFs (Factur-X, ZUGFeRD, XRechnung, Order-X). */
export const eInvoiceNames = /^(factur-x|zugferd-invoice|xrechnung)\.xml$/i;
export const eOrderNames = /^(order|deliver)-x\.xml$/i;
const relationships = new Set(["Alternative", "Data", "Source", "Unspecified"]);
const roots = /^(CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote|SCRDMCCBDACIO\w{1,40})$/;
/** Thousands of lines take one. */
const maxBytes = mebibytesInBytes(4);
const maxFiles = 100;
/** Characters before and with the first element. */
const maxHead = 4000;

/** An invoice or order as XML, attached to the pages that show it. */
export type EInvoice = { file: string; relationship: string; changedAt: string; xml: Uint8Array };

export class EInvoices extends PdfEntries {
  /** The one that can be kept: XML by its content, under an agreed name and as a file of the document. */
  find(): EInvoice | undefined {
    const { catalog } = this.source;
    const roots = [this.at(catalog, "AF"), this.at(catalog, "Names", "EmbeddedFiles")];
    for (const file of this.below(roots, "Kids", "Names").slice(0, maxFiles)) {
      const fileName = this.words(file, "UF") || this.words(file, "F");
      if (!eInvoiceNames.test(fileName) && !eOrderNames.test(fileName)) continue;
      const stream = this.at(file, "EF", "UF") ?? this.at(file, "EF", "F");
      const xml = this.xmlOf(stream);
      const kind = this.at(file, "AFRelationship");
      const relationship = kind instanceof PDFName ? kind.decodeText() : "Unspecified";
      if (xml && relationships.has(relationship))
        return { file: fileName, relationship, changedAt: this.dateOf(stream), xml };
    }
    return undefined;
  }

  private xmlOf(stream: PDFObject | undefined): Uint8Array | undefined {
    const isShort = stream instanceof PDFRawStream && stream.contents.length <= maxBytes;
    const bytes = isShort && unpackedStream(stream, (value) => this.source.look(value), maxBytes);
    return bytes && isInvoice(bytes) ? bytes : undefined;
  }

  private dateOf(stream: PDFObject | undefined): string {
    const params = this.at(stream, "Params");
    const date = params instanceof PDFDict ? this.words(params, "ModDate") : "";
    return /^D:\d{4,14}(Z|[+-]\d\d'\d\d'?)?$/.test(date) ? date : "";
  }
}

/** XML in UTF-8 that names no other file, no style and no entity, since programs that open it would follow them. */
function isInvoice(bytes: Uint8Array): boolean {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  const body = text.replace(/^\s*<\?xml\s[^>]{0,200}\?>/, "");
  const start = /^(?:\s|<!--(?:[^-]|-(?!->))*-->)*<(?:[\w.-]{1,40}:)?([A-Za-z]{1,60})[\s>]/;
  const [, root] = start.exec(body.slice(0, maxHead)) ?? [];
  return root !== undefined && roots.test(root) && !/<!(DOCTYPE|ENTITY)|<\?/i.test(body);
}

/** Attaches an invoice to a document. */
export function addEInvoice({ catalog, context }: PDFDocument, { file, relationship, changedAt, xml }: EInvoice): void {
  const params = context.obj({ Size: xml.length });
  if (changedAt) params.set(name("ModDate"), PDFString.of(changedAt));
  const stream = context.flateStream(xml, { Type: "EmbeddedFile", Subtype: "text/xml", Params: params });
  const ref = context.register(stream);
  const fileName = PDFHexString.fromText(file);
  const specification = context.register(
    context.obj({
      Type: "Filespec",
      F: PDFString.of(file),
      UF: fileName,
      AFRelationship: relationship,
      EF: { F: ref, UF: ref },
    }),
  );
  catalog.set(name("AF"), context.obj([specification]));
  catalog.set(name("Names"), context.obj({ EmbeddedFiles: { Names: [fileName, specification] } }));
}

import {
  PDFArray,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";

/** The parts of a PDF signature field (ISO 32000-2, 12.8) that certifies the whole file and allows no changes. */

/** Base64 of DER each. */
type Evidence = { certificates: string[]; revocationLists: string[] };

/**
 * The parts of a signature that are known before signing. `room` is for its DER, in bytes; `evidence` verifies it later
 * (12.8.4.3), and is covered by it.
 */
export type SignatureForm = { name: string; at: string; room: number; evidence?: Evidence | undefined };

/** The bytes of a file from `start` to before `end`. That of the signature, which it does not cover, is its DER in `<>`. */
export type Space = { start: number; end: number };

/** Adds an invisible signature field to the first page. The reference returned is that of the signature itself. */
export function addSignatureField(document: PDFDocument, page: PDFPage, { evidence }: SignatureForm): PDFRef {
  const { context, catalog } = document;
  if (evidence) {
    const streams = (all: string[]) =>
      all.map((der) => context.register(context.flateStream(Buffer.from(der, "base64"))));
    const { certificates, revocationLists } = evidence;
    catalog.set(PDFName.of("DSS"), context.obj({ Certs: streams(certificates), CRLs: streams(revocationLists) }));
  }
  const field = context.nextRef();
  // The highest number, so that it ends the cross-reference table.
  const signature = context.nextRef();
  const { x, y } = page.getCropBox();
  // Beyond the page, where PDF/UA needs no tag for it.
  const nowhere = [x - 1, y - 1, x - 1, y - 1];
  const nothing = context.register(context.stream("q Q", { Type: "XObject", Subtype: "Form", BBox: [0, 0, 0, 0] }));
  const extension = { BaseVersion: "1.7", ExtensionLevel: 1 };
  context.assign(
    field,
    context.obj({
      Type: "Annot",
      Subtype: "Widget",
      FT: "Sig",
      T: PDFString.of("Seal"),
      TU: PDFString.of("Seal"),
      F: flags.print | flags.locked,
      Rect: nowhere,
      AP: { N: nothing },
      P: page.ref,
      V: signature,
    }),
  );
  addAnnotation(page, field);
  if (catalog.has(PDFName.of("StructTreeRoot"))) page.node.set(PDFName.of("Tabs"), PDFName.of("S"));
  catalog.set(PDFName.of("AcroForm"), context.obj({ Fields: [field], SigFlags: 3 }));
  catalog.set(PDFName.of("Perms"), context.obj({ DocMDP: signature }));
  catalog.set(PDFName.of("Extensions"), context.obj({ ESIC: extension }));
  return signature;
}

const flags = { print: 4, locked: 128 };

function addAnnotation({ node, doc }: PDFPage, field: PDFRef) {
  const annotations = node.lookup(PDFName.of("Annots"));
  if (annotations instanceof PDFArray) annotations.push(field);
  else node.set(PDFName.of("Annots"), doc.context.obj([field]));
}

/** Blanks fill it up, as its numbers are known last. */
const byteRangeLength = 44;

/** The signature's dictionary in three parts: before the space for its DER, `length` bytes long, the space, and after it. */
export function signatureText({ name, at, room }: SignatureForm) {
  const unchangeable = "<< /Type /TransformParams /P 1 /V /1.2 >>";
  const reference = `[<< /Type /SigRef /TransformMethod /DocMDP /TransformParams ${unchangeable} >>]`;
  const date = `D:${at.replace(/\.\d+/, "").replace(/[-:T]/g, "")}`;
  const entries =
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached ` +
    `/Name ${PDFHexString.fromText(name)} /M (${date}) /Reference ${reference} /ByteRange `;
  return {
    length: entries.length + byteRangeLength + contents.length,
    /** The first part, for a file with `rest` bytes after the space. */
    before: ({ start, end }: Space, rest: number) =>
      `${entries}${`[0 ${start} ${end} ${rest}]`.padEnd(byteRangeLength)}${contents}`,
    space: `<${"0".repeat(2 * room)}>`,
    after: " >>\nendobj\n",
  };
}

const contents = " /Contents ";

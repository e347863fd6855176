import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import {
  PDFCrossRefSection,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
  PDFTrailer,
  PDFTrailerDict,
} from "@cantoo/pdf-lib";

import { addSignatureField, type SignatureForm, type Space, signatureText } from "./pdf-signature.ts";
import type { PlacedStamp } from "../seal/stamp.ts";

/** Bytes that are put into a file once the rest of it is known. */
export type SealSpaces = {
  /** For the content of the stamp, and whether it is to be the signed code. */
  stamp?: (Space & { isSigned: boolean }) | undefined;
  signature?: Space | undefined;
};

type Written = Pick<PDFObject, "sizeInBytes" | "copyBytesInto">;

const nothing = new Uint8Array();
/** Small writes are buffered: a page may have fifty thousand objects. */
const maxBufferedBytes = 256 * 1024;

/** Writes a document while it is composed, so that a sealed PDF of 200 MB need not be held three times in memory. */
export class PdfFile {
  private readonly document: PDFDocument;
  private readonly file: FileHandle;
  private readonly offsets = new Map<PDFRef, number>();
  private length = 0;
  /** Of all but large parts. */
  private readonly hash = createHash("sha256");
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;

  private constructor(document: PDFDocument, file: FileHandle) {
    this.document = document;
    this.file = file;
  }

  static async begin(document: PDFDocument, file: FileHandle): Promise<PdfFile> {
    const pdf = new PdfFile(document, file);
    await pdf.write(document.context.header);
    return pdf;
  }

  /** Writes the streams so far, and replaces them by empty ones that other objects still reference. */
  async writeStreams(): Promise<void> {
    const { context } = this.document;
    await this.document.flush();
    for (const [ref, object] of context.enumerateIndirectObjects()) {
      if (!(object instanceof PDFRawStream) || this.offsets.has(ref)) continue;
      await this.writeObject(ref, object);
      context.assign(ref, PDFRawStream.of(context.obj({}), nothing));
    }
    await this.flush();
  }

  /**
   * Writes the remaining objects and the cross-reference table. With `signature` the file gets one, which is still to be put
   * into the space returned, as is the content of the stamp.
   */
  async end({ stamp, signature: form }: { stamp?: PlacedStamp | undefined; signature?: SignatureForm | undefined }) {
    const { context } = this.document;
    await this.document.flush();
    const signature = form && addSignatureField(this.document, this.document.getPage(0), form);
    const objects = context.enumerateIndirectObjects();
    for (const [ref, object] of objects) {
      if (!this.offsets.has(ref) && ref !== stamp?.ref && ref !== context.trailerInfo.Root) {
        await this.writeObject(ref, object);
      }
    }
    const spaces: SealSpaces = { stamp: stamp && (await this.writeStamp(stamp)) };
    await this.writeObject(context.trailerInfo.Root as PDFRef, this.document.catalog);
    const id = PDFHexString.of(this.hash.copy().digest("hex").slice(0, 32));
    context.trailerInfo.ID = context.obj([id, id]);
    const refs = objects.map(([ref]) => ref);
    if (signature) spaces.signature = await this.writeSignature(signature, form, refs);
    else await this.writeBytes(this.tableOf(refs));
    await this.flush();
    return spaces;
  }

  /** Writes the stamp last, so that little of the file is read twice, and its place into the catalog, which comes after it. */
  private async writeStamp({ ref, form, isSigned }: PlacedStamp) {
    const { context, catalog } = this.document;
    const start = await this.writeObject(ref, form);
    const { length } = form.contents;
    catalog.set(PDFName.of("Sealdesk"), context.obj({ V: 1, Skip: [start, length] }));
    return { start, end: start + length, isSigned };
  }

  /** Writes the signature as the last object, because its byte range needs the length of all that follows. */
  private async writeSignature(ref: PDFRef, form: SignatureForm, refs: PDFRef[]): Promise<Space> {
    const head = `${ref.objectNumber} ${ref.generationNumber} obj\n`;
    const { length, before, space, after } = signatureText(form);
    const start = this.length + head.length + length;
    const end = start + space.length;
    this.offsets.set(ref, this.length);
    const table = this.tableOf([...refs, ref], end + after.length);
    const text = `${head}${before({ start, end }, after.length + table.length)}${space}${after}`;
    await this.writeBytes(Buffer.from(text));
    await this.writeBytes(table);
    return { start, end };
  }

  /** The cross-reference table and trailer at an offset of the file. */
  private tableOf(refs: PDFRef[], at = this.length): Buffer {
    const { context } = this.document;
    const table = PDFCrossRefSection.create();
    for (const ref of refs) table.addEntry(ref, this.offsets.get(ref)!);
    const { Root, Info, ID } = context.trailerInfo;
    const trailer = context.obj({ Size: context.largestObjectNumber + 1, Root, Info, ID });
    const parts = [table, PDFTrailerDict.of(trailer), PDFTrailer.forLastCrossRefSectionOffset(at)];
    return Buffer.concat(parts.map(bytesOf));
  }

  /** Returns where a stream's contents begin. */
  private async writeObject(ref: PDFRef, object: PDFObject) {
    this.offsets.set(ref, this.length);
    await this.writeBytes(Buffer.from(`${ref.objectNumber} ${ref.generationNumber} obj\n`));
    let start = this.length;
    if (object instanceof PDFRawStream) {
      object.updateDict();
      await this.write(object.dict);
      await this.writeBytes(Buffer.from("stream\n"));
      start = this.length;
      await this.writeBytes(object.contents);
      await this.writeBytes(Buffer.from("\nendstream\n"));
    } else await this.write(object);
    await this.writeBytes(Buffer.from("endobj\n"));
    return start;
  }

  private async write(part: Written) {
    await this.writeBytes(bytesOf(part));
  }

  private async writeBytes(bytes: Uint8Array) {
    this.length += bytes.length;
    if (bytes.length < maxBufferedBytes) this.hash.update(bytes);
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes >= maxBufferedBytes) await this.flush();
  }

  private async flush() {
    const waiting = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    // Long parts are not copied.
    let small: Uint8Array[] = [];
    for (const bytes of waiting) {
      if (bytes.length < maxBufferedBytes) small.push(bytes);
      else {
        await this.file.writeFile(Buffer.concat(small));
        await this.file.writeFile(bytes);
        small = [];
      }
    }
    await this.file.writeFile(Buffer.concat(small));
  }
}

function bytesOf(part: Written): Buffer {
  const bytes = Buffer.alloc(part.sizeInBytes() + 1, "\n");
  part.copyBytesInto(bytes, 0);
  return bytes;
}

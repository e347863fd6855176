import type { PDFiumDocument } from "@hyzyla/pdfium";
import { signedBy, signerCertificate } from "../../seal/verify-cms.ts";

/** The signatures of a PDF (ISO 32000-2, 12.8) beside that of a sealed one. */

/**
 * `intact` if the sealed PDF's key signed all of the file, whose other bytes are in the signature's space alone; `none` if
 * no signature is left, and `not checked` if the sealed PDF has none itself.
 */
export type SignatureState = "intact" | "covers a part" | "broken" | "of another key" | "none" | "not checked";

/** The parts of PDFium's API (`fpdf_signature.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDF_GetSignatureCount(document: number): number;
  _FPDF_GetSignatureObject(document: number, index: number): number;
  _FPDFSignatureObj_GetContents(signature: number, buffer: number, length: number): number;
  _FPDFSignatureObj_GetByteRange(signature: number, buffer: number, length: number): number;
};

type Signature = { contents: Buffer; ranges: number[] };

/** Further signatures are not inspected; the first are of the file's history. */
const maxSignatures = 20;
const best: SignatureState[] = ["intact", "covers a part", "broken", "of another key"];

/** The state of the signatures in `file`, whose bytes are given, by that of the sealed `document`: the best of them. */
export function signatureState(file: PDFiumDocument, bytes: Buffer, document: PDFiumDocument): SignatureState {
  const [seal] = signaturesOf(document);
  const certificate = seal && signerCertificate(seal.contents);
  if (!certificate) return "not checked";
  const states = signaturesOf(file).map((signature) => stateOf(signature, bytes, certificate));
  return best.find((state) => states.includes(state)) ?? "none";
}

function stateOf({ contents, ranges }: Signature, bytes: Buffer, certificate: Buffer): SignatureState {
  const [first = -1, length = -1, second = -1, rest = -1] = ranges;
  const fits = first >= 0 && length >= 0 && second >= first + length && rest >= 0 && second + rest <= bytes.length;
  if (ranges.length !== 4 || !fits) return "broken";
  const parts = [bytes.subarray(first, first + length), bytes.subarray(second, second + rest)];
  const by = signedBy(contents, parts, certificate);
  if (by !== "this key") return by === "no key" ? "broken" : "of another key";
  const space = bytes.toString("latin1", length, second);
  const isItself = /^<[0-9a-f]*>$/i.test(space) && Buffer.from(space.slice(1, -1), "hex").equals(contents);
  return first === 0 && second + rest === bytes.length && isItself ? "intact" : "covers a part";
}

function signaturesOf(document: PDFiumDocument): Signature[] {
  const module = document["module"] as unknown as Module;
  const count = Math.min(module._FPDF_GetSignatureCount(document["documentIdx"]), maxSignatures);
  return Array.from({ length: Math.max(count, 0) }, (_, n) => {
    const signature = module._FPDF_GetSignatureObject(document["documentIdx"], n);
    const contents = read(module, 1, (buffer, size) => module._FPDFSignatureObj_GetContents(signature, buffer, size));
    const ranges = read(module, 4, (buffer, size) => module._FPDFSignatureObj_GetByteRange(signature, buffer, size));
    const numbers = Array.from({ length: ranges.length / 4 }, (__, at) => ranges.readInt32LE(at * 4));
    return { contents, ranges: numbers };
  });
}

/** A copy of what `fill` writes to a buffer of so many items; without one, it returns how many there are. */
function read(module: Module, itemBytes: number, fill: (buffer: number, size: number) => number): Buffer {
  const bytes = fill(0, 0) * itemBytes;
  if (bytes <= 0) return Buffer.alloc(0);
  const buffer = module.wasmExports.malloc(bytes);
  if (buffer === 0) throw new Error("No memory for a signature");
  fill(buffer, bytes / itemBytes);
  const copy = Buffer.from(module.HEAPU8.slice(buffer, buffer + bytes));
  module.wasmExports.free(buffer);
  return copy;
}

import { deflateSync } from "node:zlib";
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import { withoutJpeg2000Metadata, withoutJpegMetadata } from "../image-metadata.ts";
import type { Resolve } from "./pdf-reader.ts";

/** Filters of PDF streams (ISO 32000-2, 7.4), and pictures in them without metadata. */

/** A stream's encoded bytes and its filters with their parameters. `unpackedBytes` were decoded on the way. */
export type Packed = { bytes: Uint8Array; filters: { name: PDFName; parms?: PDFDict }[]; unpackedBytes: number };

const keys = { filter: PDFName.of("Filter"), parms: PDFName.of("DecodeParms") };
const shortNames: Record<string, string> = {
  AHx: "ASCIIHexDecode",
  A85: "ASCII85Decode",
  LZW: "LZWDecode",
  Fl: "FlateDecode",
  RL: "RunLengthDecode",
  CCF: "CCITTFaxDecode",
  DCT: "DCTDecode",
};
const textFilters = ["ASCIIHexDecode", "ASCII85Decode"];
const packers = ["LZWDecode", "FlateDecode", "RunLengthDecode"];
const knownFilters = new Set([...textFilters, ...packers, "CCITTFaxDecode", "JBIG2Decode", "DCTDecode", "JPXDecode"]);
/** Longer chains are decompression bombs. */
const maxFilters = 4;

/** How to write a stream; undefined if a filter is unknown, or a wrapped picture decodes to over `maxBytes`. */
export function packedStream(stream: PDFRawStream, look: Resolve, maxBytes: number): Packed | undefined {
  const filters = filtersOf(stream.dict, look);
  if (!filters) return undefined;
  const last = filters.at(-1)?.name.decodeText();
  const clean = last === "DCTDecode" ? withoutJpegMetadata : last === "JPXDecode" ? withoutJpeg2000Metadata : undefined;
  if (!clean) return { bytes: stream.contents, filters, unpackedBytes: 0 };
  if (filters.length === 1) return { bytes: clean(stream.contents), filters, unpackedBytes: 0 };
  const picture = unwrapped(stream, filters.slice(0, -1), maxBytes);
  // A nearly white scan compresses to a tenth.
  const again = { name: PDFName.of("FlateDecode") };
  return (
    picture && {
      bytes: deflateSync(clean(picture)),
      filters: [again, ...filters.slice(-1)],
      unpackedBytes: picture.length,
    }
  );
}

/** A stream without its filters; undefined if one is unusual, or for over `maxBytes`. */
export function unpackedStream(stream: PDFRawStream, look: Resolve, maxBytes: number): Uint8Array | undefined {
  const filters = filtersOf(stream.dict, look);
  return filters && unwrapped(stream, filters, maxBytes);
}

function filtersOf(dict: PDFDict, look: Resolve): Packed["filters"] | undefined {
  const all = listOf(look(dict.get(keys.filter)));
  const parms = listOf(look(dict.get(keys.parms)));
  if (all.length > maxFilters) return undefined;
  const filters: Packed["filters"] = [];
  for (const [n, value] of all.entries()) {
    const filter = look(value);
    if (!(filter instanceof PDFName)) return undefined;
    const name = filter.asString().slice(1);
    const full = shortNames[name] ?? name;
    if (!knownFilters.has(full)) return undefined;
    const ofThis = look(parms[n]);
    filters.push({ name: PDFName.of(full), ...(ofThis instanceof PDFDict && { parms: ofThis }) });
  }
  return filters;
}

function listOf(value: PDFObject | undefined): PDFObject[] {
  if (value instanceof PDFArray) return value.asArray();
  return value instanceof PDFName || value instanceof PDFDict ? [value] : [];
}

/** The decoded content; undefined if they are unusual or decode to over `maxBytes`. */
function unwrapped(stream: PDFRawStream, outer: Packed["filters"], maxBytes: number): Uint8Array | undefined {
  const names = outer.map(({ name }) => name.decodeText());
  // The output of a decompressor is bounded only if nothing after it can discard it.
  if (!names.every((name, n) => textFilters.includes(name) || (packers.includes(name) && n === names.length - 1))) {
    return undefined;
  }
  const predictor = outer.at(-1)?.parms?.get(PDFName.of("Predictor"));
  if (predictor instanceof PDFNumber && predictor.asNumber() > 1) return undefined;
  // qpdf writes such ones.
  if (stream.contents.length === 0) return stream.contents;
  const { context } = stream.dict;
  const dict = context.obj({ Filter: outer.map(({ name }) => name) });
  const source = decodePDFRawStream(PDFRawStream.of(dict, stream.contents));
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let chunk = source.getBytes(65_536); chunk.length > 0; chunk = source.getBytes(65_536)) {
      length += chunk.length;
      if (length > maxBytes) return undefined;
      chunks.push(Uint8Array.from(chunk));
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { mebibytesInBytes } from "../../units.ts";
import type { PdfReader } from "./pdf-reader.ts";
import { unpackedStream } from "./pdf-streams.ts";

const name = (text: string) => PDFName.of(text);
/** Dictionaries of each kind beyond are not visited. */
export const maxVisited = 20_000;
/** Of a metadata or XFA stream. */
const maxTextBytes = mebibytesInBytes(1);
/** Of a string, as written. */
const maxWords = 10_000;

/** The first `max` dictionaries below some values, by arrays and the entries named, each once: cycles end. */
export function dictionariesBelow(
  source: PdfReader,
  values: (PDFObject | undefined)[],
  keys: string[],
  max: number,
): PDFDict[] {
  const visited = new Set<PDFObject>();
  const dictionaries: PDFDict[] = [];
  const open = values.toReversed();
  while (open.length > 0 && dictionaries.length < max) {
    const object = source.look(open.pop());
    if (!(object instanceof PDFArray || object instanceof PDFDict) || visited.has(object)) continue;
    visited.add(object);
    if (object instanceof PDFArray) for (const one of object.asArray().toReversed()) open.push(one);
    if (!(object instanceof PDFDict)) continue;
    dictionaries.push(object);
    for (const key of keys) open.push(object.get(name(key)));
  }
  return dictionaries;
}

/** Reads entries of a PDF's dictionaries, whatever is in them, within bounds. */
export class PdfEntries {
  protected readonly source: PdfReader;

  constructor(source: PdfReader) {
    this.source = source;
  }

  /** The dictionaries below some values, by arrays and the entries named, each once. */
  protected below(values: (PDFObject | undefined)[], ...keys: string[]): PDFDict[] {
    return dictionariesBelow(this.source, values, keys, maxVisited);
  }

  /** The values that entries reference, one after the other. */
  protected at(of: PDFObject | undefined, ...keys: string[]): PDFObject | undefined {
    return keys.reduce((object, key) => {
      const dict = object instanceof PDFRawStream ? object.dict : object;
      return dict instanceof PDFDict ? this.source.look(dict.get(name(key))) : undefined;
    }, of);
  }

  protected number(of: PDFDict, key: string): number {
    const value = this.at(of, key);
    return value instanceof PDFNumber ? value.asNumber() : 0;
  }

  protected subtype(annotation: PDFDict): string {
    const value = this.at(annotation, "Subtype");
    return value instanceof PDFName ? value.decodeText() : "";
  }

  protected words(of: PDFDict, key: string): string {
    const value = this.at(of, key);
    const isShort = (value?.sizeInBytes() ?? 0) <= maxWords;
    return isShort && (value instanceof PDFString || value instanceof PDFHexString) ? value.decodeText() : "";
  }

  protected streams(value: PDFObject | undefined): PDFRawStream[] {
    const list = value instanceof PDFArray ? value.asArray().slice(0, 50) : [value];
    return list.map((one) => this.source.look(one)).filter((one) => one instanceof PDFRawStream);
  }

  protected text(stream: PDFObject | undefined): string {
    const isShort = stream instanceof PDFRawStream && stream.contents.length <= maxTextBytes;
    const bytes = isShort && unpackedStream(stream, (value) => this.source.look(value), maxTextBytes);
    return bytes ? Buffer.from(bytes).toString("latin1") : "";
  }
}

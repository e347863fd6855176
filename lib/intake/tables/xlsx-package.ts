import { SaxesParser, type SaxesTagPlain } from "saxes";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { mebibytesInBytes } from "../../units.ts";
import { damaged, TableRefused } from "./table-shape.ts";

/** The parts of an XLSX file, which is a ZIP of XML, read piece by piece within bounds on what they inflate to. */

export type Part = {
  /** An element begins; its name and its attributes' names are without prefixes. */
  opened?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  closed?(name: string): void;
};

const maxParts = 2_000;
const maxInflatedBytes = mebibytesInBytes(100);
/** A small file may inflate to so much whatever its ratio. */
const freeInflatedBytes = mebibytesInBytes(8);
const maxRatio = 100;
const maxDepth = 100;
const maxAttributes = 100;
/** No cell is longer. */
const maxPieceBytes = mebibytesInBytes(1);

export const tooLarge = () =>
  new TableRefused("The file is too large once unpacked: keep only the sheet and the rows that are needed");

export class XlsxPackage {
  private readonly zip: ZipFile;
  private readonly parts: Map<string, Entry>;
  private inflatedBytes = 0;

  private constructor(zip: ZipFile, parts: Map<string, Entry>) {
    this.zip = zip;
    this.parts = parts;
  }

  static async open(path: string): Promise<XlsxPackage> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
      throw damaged();
    });
    try {
      if (zip.entryCount > maxParts) throw tooLarge();
      const parts = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        parts.set(entry.fileName.replace(/^\//, "").toLowerCase(), entry);
      }
      return new XlsxPackage(zip, parts);
    } catch (error) {
      zip.close();
      throw error instanceof TableRefused ? error : damaged();
    }
  }

  close() {
    this.zip.close();
  }

  has(name: string) {
    return this.parts.has(name.toLowerCase());
  }

  /** Reads a part to its end, yielding whenever some of it was parsed. Throws `TableRefused`. */
  async *read(name: string, part: Part): AsyncGenerator<void> {
    const entry = this.parts.get(name.toLowerCase());
    if (!entry) throw damaged();
    const { parser, sinceEvent } = parserOf(part);
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true });
      for await (const chunk of (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        this.count(chunk.length);
        parser.write(decoder.decode(chunk, { stream: true }));
        if (sinceEvent(chunk.length) > maxPieceBytes) throw tooLarge();
        yield;
      }
      parser.write(decoder.decode());
      parser.close();
      yield;
    } catch (error) {
      throw error instanceof TableRefused || isOfSystem(error) ? error : damaged();
    }
  }

  async readAll(name: string, part: Part) {
    // oxlint-disable-next-line no-empty-pattern, no-unused-vars
    for await (const _ of this.read(name, part));
  }

  private count(bytes: number) {
    this.inflatedBytes += bytes;
    const limit = Math.min(maxInflatedBytes, Math.max(freeInflatedBytes, this.zip.fileSize * maxRatio));
    if (this.inflatedBytes > limit) throw tooLarge();
  }
}

/** Disk errors are not the file's fault. */
const isOfSystem = (error: unknown) => (error as { syscall?: string }).syscall !== undefined;

const withoutPrefix = (name: string) => name.slice(name.indexOf(":") + 1);

function parserOf({ opened, text, closed }: Part) {
  const parser = new SaxesParser();
  let [bytes, depth, attributes] = [0, 0, 0];
  parser.on("error", () => {
    throw damaged();
  });
  // Documents with entities of their own are no spreadsheets.
  parser.on("doctype", () => {
    throw damaged();
  });
  parser.on("attribute", () => {
    bytes = 0;
    if (++attributes > maxAttributes) throw damaged();
  });
  parser.on("opentag", ({ name, attributes: tagAttributes }: SaxesTagPlain) => {
    [bytes, attributes] = [0, 0];
    if (++depth > maxDepth) throw damaged();
    opened?.(
      withoutPrefix(name),
      Object.fromEntries(Object.entries(tagAttributes).map(([key, value]) => [withoutPrefix(key), value])),
    );
  });
  parser.on("closetag", ({ name }) => {
    bytes = 0;
    depth--;
    closed?.(withoutPrefix(name));
  });
  const addText = (piece: string) => {
    bytes = 0;
    text?.(piece);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  return { parser, sinceEvent: (more: number) => (bytes += more) };
}

import {
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFObjectParser,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";

/** Resolves references; undefined if there is no object. */
export type Resolve = (value: PDFObject | undefined) => PDFObject | undefined;

/**
 * Reads a PDF that `copyByPdfium` wrote, each object on first use. Other files may have object streams, incremental updates
 * and cross-reference streams, which this does not support on purpose.
 */
export class PdfReader {
  private readonly parser: Parser;
  private readonly offsets: Map<number, number>;
  private readonly objects = new Map<number, PDFObject>();
  /** The document's catalog. */
  readonly catalog: PDFDict;
  /** Its information dictionary, if it has one. */
  readonly info: PDFDict | undefined;

  constructor(bytes: Buffer) {
    this.parser = Parser.of(bytes, (value) => this.look(value));
    const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.subarray(-64).toString("latin1"));
    const { offsets, trailer } = this.parser.tableAt(Number(start?.[1]));
    this.offsets = offsets;
    const catalog = this.look(trailer.get(PDFName.of("Root")));
    if (!(catalog instanceof PDFDict)) throw new Error("A PDF has no catalog");
    this.catalog = catalog;
    const info = this.look(trailer.get(PDFName.of("Info")));
    this.info = info instanceof PDFDict ? info : undefined;
  }

  /** Resolves a reference. Like PDFium, does not follow one that leads to another reference. */
  look(value: PDFObject | undefined): PDFObject | undefined {
    const object = value instanceof PDFRef ? this.objectOf(value) : value;
    return object instanceof PDFRef ? undefined : object;
  }

  private objectOf({ objectNumber }: PDFRef): PDFObject | undefined {
    const offset = this.offsets.get(objectNumber);
    if (offset === undefined) return undefined;
    let object = this.objects.get(objectNumber);
    if (!object) this.objects.set(objectNumber, (object = this.parser.indirectObjectAt(offset)));
    return object;
  }
}

const codes = (text: string) => [...Buffer.from(text)];
const words = { obj: codes("obj"), stream: codes("stream"), xref: codes("xref"), trailer: codes("trailer") };
const [carriageReturn, lineFeed, inUse] = codes("\r\nn");

/** pdf-lib's object parser with random access (ISO 32000-2, 7.3.8, 7.3.10 and 7.5.4). */
class Parser extends PDFObjectParser {
  private readonly look: PdfReader["look"];

  private constructor(parser: PDFObjectParser, look: PdfReader["look"]) {
    super(parser["bytes"], parser["context"]);
    this.look = look;
  }

  static of(bytes: Uint8Array, look: PdfReader["look"]) {
    return new Parser(PDFObjectParser.forBytes(bytes, PDFContext.create()), look);
  }

  /** The cross-reference table, as offsets by object number, and the trailer dictionary. */
  tableAt(offset: number) {
    this.bytes.moveTo(offset);
    this.expect(words.xref);
    const offsets = new Map<number, number>();
    while (!this.skips(words.trailer)) {
      const first = this.parseRawInt();
      const count = this.integer();
      for (let n = 0; n < count; n++) {
        const at = this.integer();
        this.integer();
        this.skipWhitespace();
        if (this.bytes.next() === inUse) offsets.set(first + n, at);
      }
    }
    this.skipWhitespace();
    return { offsets, trailer: this.parseDict() };
  }

  indirectObjectAt(offset: number): PDFObject {
    this.bytes.moveTo(offset);
    this.integer();
    this.integer();
    this.expect(words.obj);
    return this.parseObject();
  }

  /** Trusts a stream's Length, also an indirect one, instead of searching for its end. */
  protected override parseDictOrStream(): PDFDict | PDFRawStream {
    const dict = this.parseDict();
    if (!this.skips(words.stream)) return dict;
    if (this.bytes.peek() === carriageReturn) this.bytes.next();
    if (this.bytes.peek() === lineFeed) this.bytes.next();
    const start = this.bytes.offset();
    const length = this.look(dict.get(PDFName.of("Length")));
    if (!(length instanceof PDFNumber)) throw new Error("A stream of a PDF has no length");
    return PDFRawStream.of(dict, this.bytes.slice(start, start + length.asNumber()));
  }

  private integer() {
    this.skipWhitespace();
    return this.parseRawInt();
  }

  private skips(word: number[]) {
    this.skipWhitespace();
    return this.matchKeyword(word);
  }

  private expect(word: number[]) {
    if (!this.skips(word)) throw new Error("A PDF is not as PDFium wrote it");
  }
}

import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import { mebibytesInBytes } from "../../units.ts";
import { ContentTokens, ContentTooComplex, type Operand, type Operation } from "./content-tokens.ts";
import { isWellFormed } from "./content-shape.ts";
import type { SourcePage } from "../pdf/pdf-pages.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";

/**
 * What of a page's content viewers may show differently: which bytes it shows in each font, other than invisibly
 * (ISO 32000-2, 9.3.6: text over scans has mode 3), and whether its operators are written so that all read the same.
 */

const name = (text: string) => PDFName.of(text);

/** The bytes of strings by font; the key `undefined` stands for text in no font or one that the resources lack. */
export type ShownCodes = Map<PDFDict | undefined, Set<number>>;

type TextState = { font: PDFDict | undefined; mode: number };
/** `path` are the streams that a content is drawn within. */
type Content = { streams: PDFRawStream[]; resources: PDFDict[]; state: TextState; path: PDFRawStream[] };

const invisible = 3;
const space = 32;
const plainText: TextState = { font: undefined, mode: 0 };
const maxContentBytes = mebibytesInBytes(16);
const maxTokens = 10_000_000;
const maxContents = 5000;
const maxStates = 500;
/** Fewer than viewers draw within each other. */
const maxPath = 20;

/**
 * Of the page's content, its forms, patterns, glyphs that are drawn, and annotations; undefined for one that viewers may read
 * differently, or that is more than pages are.
 */
export function shownCodes(source: PdfReader, page: SourcePage): ShownCodes | undefined {
  try {
    return new CodeWalk(source).codesOf(page);
  } catch (error) {
    if (error instanceof ContentTooComplex) return undefined;
    throw error;
  }
}

/** How many bytes the appearance of a form field shows, spaces aside. */
export function shownBytes(source: PdfReader, appearance: PDFObject | undefined): number {
  const walk = new CodeWalk(source);
  walk.codesOfAppearance(appearance);
  return walk.shownBytes;
}

/** Whether viewers read a page in the same way. */
export const isShownAlike = (page: SourcePage, _n: number, source: PdfReader) => shownCodes(source, page) !== undefined;

class CodeWalk {
  private readonly source: PdfReader;
  private readonly codes: ShownCodes = new Map();
  private readonly open: Content[] = [];
  private readonly visited = new Map<PDFRawStream, Set<string>>();
  private readonly fontNumbers = new Map<PDFDict | undefined, number>();
  private bytesLeft = maxContentBytes;
  shownBytes = 0;

  constructor(source: PdfReader) {
    this.source = source;
  }

  codesOf({ node, inherited }: SourcePage): ShownCodes {
    const resources = this.scope(inherited.get(name("Resources")));
    const contents = this.source.look(node.get(name("Contents")));
    this.open.push({ streams: this.streams(contents), resources, state: plainText, path: [] });
    for (const annotation of this.items(node.get(name("Annots")))) {
      const appearances = this.dict(this.dict(annotation)?.get(name("AP")));
      const normal = this.source.look(appearances?.get(name("N")));
      const states = normal instanceof PDFDict ? normal.values() : [normal];
      for (const state of states) this.enter(state, { resources, path: [] }, plainText);
    }
    return this.readAll();
  }

  codesOfAppearance(value: PDFObject | undefined): ShownCodes {
    this.enter(value, { resources: this.scope(undefined), path: [] }, plainText);
    return this.readAll();
  }

  private scope(page: PDFObject | undefined): PDFDict[] {
    const forms = this.dict(this.source.catalog.get(name("AcroForm")));
    return [this.dict(page), this.dict(forms?.get(name("DR")))].filter((dict) => dict !== undefined);
  }

  private readAll(): ShownCodes {
    let contentsLeft = maxContents;
    for (let next = this.open.pop(); next; next = this.open.pop()) {
      if ((contentsLeft -= 1) < 0) throw new ContentTooComplex("A page has too many contents");
      this.read(next);
    }
    return this.codes;
  }

  /** Opens a form, pattern or glyph once for each state of the text. */
  private enter(
    value: PDFObject | undefined,
    { resources, path }: Pick<Content, "resources" | "path">,
    state: TextState,
  ) {
    const stream = this.source.look(value);
    if (!(stream instanceof PDFRawStream) || this.source.look(stream.dict.get(name("Subtype"))) === name("Image"))
      return;
    if (path.includes(stream) || path.length >= maxPath) throw new ContentTooComplex("A form is drawn within itself");
    if (!this.fontNumbers.has(state.font)) this.fontNumbers.set(state.font, this.fontNumbers.size);
    const key = `${this.fontNumbers.get(state.font)} ${state.mode}`;
    const states = this.visited.get(stream) ?? new Set();
    this.visited.set(stream, states);
    if (states.has(key)) return;
    states.add(key);
    const own = this.dict(stream.dict.get(name("Resources")));
    const scope = own ? [own, ...resources.slice(-2)] : resources;
    this.open.push({ streams: [stream], resources: scope, state, path: [...path, stream] });
  }

  private read(content: Content) {
    const { streams, resources } = content;
    let { state } = content;
    const states: TextState[] = [];
    const tokens = new ContentTokens(this.unpacked(streams), maxTokens);
    for (const operation of tokens.operations()) {
      const { operator, operands } = operation;
      if (!isWellFormed(operation)) throw new ContentTooComplex("An operator has other operands");
      if (operator === "q" && states.length < maxStates) states.push(state);
      else if (operator === "Q") state = states.pop() ?? state;
      else if (operator === "Tf") state = { ...state, font: this.named("Font", operands[0], resources) };
      else if (operator === "Tr") state = { ...state, mode: operands[0] as number };
      else if (operator === "gs") state = this.graphicsState(operands[0], content, state);
      else if (operator === "scn" || operator === "SCN")
        this.enter(this.namedObject("Pattern", operands.at(-1), resources), content, plainText);
      else if (operator === "Do") this.enter(this.namedObject("XObject", operands[0], resources), content, state);
      else this.show(operation, content, state);
    }
    if (tokens.isAmbiguous) throw new ContentTooComplex("A number is written in an odd way");
  }

  private graphicsState(operand: Operand | undefined, content: Content, state: TextState): TextState {
    const graphics = this.named("ExtGState", operand, content.resources);
    const mask = this.dict(graphics?.get(name("SMask")));
    if (mask) this.enter(mask.get(name("G")), content, plainText);
    const font = this.dict(this.items(graphics?.get(name("Font")))[0]);
    return font ? { ...state, font } : state;
  }

  private show({ operator, operands }: Operation, { resources, path }: Content, { font, mode }: TextState) {
    if (!["Tj", "TJ", "'", '"'].includes(operator) || mode === invisible) return;
    const last = operands.at(-1);
    const items = typeof last === "object" && "items" in last ? last.items : [last];
    const codes = this.codes.get(font) ?? new Set();
    this.codes.set(font, codes);
    for (const bytes of items.filter((item) => item instanceof Uint8Array)) {
      for (const byte of bytes) codes.add(byte);
      this.shownBytes += bytes.filter((byte) => byte !== space).length;
    }
    if (this.source.look(font?.get(name("Subtype"))) !== name("Type3")) return;
    const own = this.dict(font!.get(name("Resources")));
    const scope = { resources: own ? [own, ...resources.slice(-2)] : resources, path };
    for (const glyph of this.dict(font!.get(name("CharProcs")))?.values() ?? []) this.enter(glyph, scope, plainText);
  }

  private namedObject(kind: string, operand: Operand | undefined, resources: PDFDict[]): PDFObject | undefined {
    if (typeof operand !== "object" || !("name" in operand)) return undefined;
    for (const dict of resources) {
      const value = this.dict(dict.get(name(kind)))?.get(name(operand.name));
      if (this.source.look(value)) return value;
    }
    return undefined;
  }

  private named(kind: string, operand: Operand | undefined, resources: PDFDict[]): PDFDict | undefined {
    return this.dict(this.namedObject(kind, operand, resources));
  }

  private unpacked(streams: PDFRawStream[]): Buffer {
    const parts = streams.flatMap((stream) => {
      const bytes = unpackedStream(stream, (value) => this.source.look(value), this.bytesLeft);
      if (!bytes) throw new ContentTooComplex("A page's content can't be read");
      this.bytesLeft -= bytes.length;
      return [bytes, Buffer.from("\n")];
    });
    return Buffer.concat(parts);
  }

  private streams(value: PDFObject | undefined): PDFRawStream[] {
    const all = value instanceof PDFArray ? value.asArray().map((item) => this.source.look(item)) : [value];
    return all.filter((stream) => stream instanceof PDFRawStream);
  }

  private dict(value: PDFObject | undefined): PDFDict | undefined {
    const object = this.source.look(value);
    return object instanceof PDFDict ? object : undefined;
  }

  private items(value: PDFObject | undefined): PDFObject[] {
    const object = this.source.look(value);
    return object instanceof PDFArray ? object.asArray() : [];
  }
}

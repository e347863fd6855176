import { createHash, type Hash, randomUUID } from "node:crypto";
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import { mebibytesInBytes } from "../../units.ts";
import { type ContentNames, fontName, maxNameBytes, namesIn } from "./content-names.ts";
import { isContained } from "./font-program.ts";
import type { PageUse, UsedFont } from "./page-use.ts";
import type { SourcePage } from "../pdf/pdf-pages.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";
import { type Oddity, oddityOf } from "../notes/oddities.ts";

/** Of contents and font programs, in all pages. */
const maxBytes = mebibytesInBytes(150);
const maxProgramBytes = mebibytesInBytes(40);
/** In all pages, with forms, patterns and glyphs. */
const maxContents = 200_000;
/** Of what one font or graphics state leads to. */
const maxNoted = 100_000;
const maxDepth = 12;

const name = (text: string) => PDFName.of(text);

/** Colour spaces that count without being named (8.6.5.6). */
const defaults = new Set(["DefaultGray", "DefaultRGB", "DefaultCMYK"].map(name));

class TooComplex extends Error {}

/** Resources in which a content's names are looked for: viewers look in those of the page as well. */
type Scope = { own: PDFDict | undefined; others: PDFDict[] };
/** A content that a page draws; `hash` covers everything that affects its look, without nested contents. */
type Content = { streams: PDFRawStream[]; scope: Scope; within: Content | undefined; hash: Hash };
type PageWalk = {
  fonts: Map<PDFDict | string, UsedFont>;
  pictures: Set<PDFRawStream>;
  odd: Set<Oddity>;
  contents: Content[];
  /** Contents with text in fonts that are not embedded, or with nested ones of that kind. */
  marked: Set<Content>;
  open: Content[];
  visited: Map<PDFObject, Set<unknown>>;
};

export class PageWalker {
  private readonly source: PdfReader;
  private readonly names = new Map<PDFRawStream, ContentNames>();
  private readonly contained = new Map<PDFDict, boolean>();
  private bytesLeft = maxBytes;
  private contentsLeft = maxContents;

  constructor(source: PdfReader) {
    this.source = source;
  }

  useOf({ node, inherited }: SourcePage): PageUse | undefined {
    const page = this.dict(inherited.get(name("Resources")));
    const forms = this.dict(this.source.catalog.get(name("AcroForm")));
    const others = [page, this.dict(forms?.get(name("DR")))].filter((dict) => dict !== undefined);
    const walk: PageWalk = {
      fonts: new Map(),
      pictures: new Set(),
      odd: new Set(),
      contents: [],
      marked: new Set(),
      open: [],
      visited: new Map(),
    };
    const contentOf = (streams: PDFRawStream[], own?: PDFDict): Content => ({
      streams,
      scope: { own, others },
      within: undefined,
      hash: createHash("sha256"),
    });
    walk.open.push(contentOf(this.streams(node.get(name("Contents"))), page));
    try {
      for (const annotation of this.list(node.get(name("Annots"))).map((value) => this.dict(value))) {
        const around = contentOf([]);
        this.note(annotation?.get(name("Rect")), around);
        this.openAppearances(annotation?.get(name("AP")), around, walk);
      }
      for (let next = walk.open.pop(); next; next = walk.open.pop()) this.visit(next, walk);
    } catch (error) {
      if (error instanceof TooComplex) return undefined;
      throw error;
    }
    const { fonts, pictures, odd, contents, marked } = walk;
    const decisive = odd.size > 0 ? contents : [...marked];
    const digest = decisive.map(({ hash }) => hash.digest("hex")).join();
    return { fonts: [...fonts.values()], pictures: [...pictures], odd, digest };
  }

  private visit(content: Content, walk: PageWalk) {
    const { streams, scope, hash } = content;
    walk.contents.push(content);
    const names = this.namesOf(streams);
    hash.update(names?.digest ?? randomUUID());
    const all = [...new Set([scope.own, ...scope.others])].filter((resources) => resources !== undefined);
    for (const resources of all) {
      const used = (kind: string) => this.named(resources, kind, names, hash);
      for (const font of used("Font")) this.useFont(font, content, walk);
      for (const form of used("XObject")) this.openForm(form, content, walk);
      for (const kind of ["ColorSpace", "Shading", "Properties"] as const)
        for (const value of used(kind)) this.noteOddities(kind, value, content, walk);
      for (const pattern of used("Pattern")) {
        this.noteOddities("Pattern", pattern, content, walk);
        this.openForm(pattern, content, walk);
        this.useState(this.dict(this.dict(pattern)?.get(name("ExtGState"))), content, walk);
      }
      for (const state of used("ExtGState")) this.useState(this.dict(state), content, walk);
    }
    // Some viewers draw another font for a name that no resources have, and some nothing.
    const dicts = all.map((resources) => this.dict(resources.get(name("Font"))));
    const missing = [...(names?.fonts ?? [])].filter((font) => !dicts.some((dict) => this.dict(dict?.get(name(font)))));
    for (const font of missing) {
      walk.fonts.set(font, { dict: undefined, name: fontName(name(font)), isContained: false });
      mark(content, walk);
    }
  }

  /** Entries of a kind of resources that a content names. */
  private named(resources: PDFDict, kind: string, names: ContentNames, hash: Hash): PDFObject[] {
    const entries = this.dict(resources.get(name(kind)))?.entries() ?? [];
    const isUsed = (key: PDFName) =>
      !names || defaults.has(key) || key.sizeInBytes() > maxNameBytes || names.all.has(key.decodeText());
    const used = entries.filter(([key]) => isUsed(key));
    hash.update(`${kind}${used.map(([key]) => key.asString()).join("")}`);
    return used.map(([, value]) => value);
  }

  private useFont(value: PDFObject, content: Content, walk: PageWalk) {
    const dict = this.dict(value);
    if (!dict) return;
    if (this.source.look(dict.get(name("Subtype"))) === name("Type3")) {
      const own = this.dict(dict.get(name("Resources")));
      for (const glyph of this.dict(dict.get(name("CharProcs")))?.values() ?? []) this.open(glyph, own, content, walk);
      walk.fonts.set(dict, { dict, name: fontName(this.source.look(dict.get(name("Name")))), isContained: true });
      return;
    }
    if (!this.contained.has(dict)) this.contained.set(dict, this.hasProgram(dict));
    const isContained = this.contained.get(dict)!;
    walk.fonts.set(dict, { dict, name: fontName(this.source.look(dict.get(name("BaseFont")))), isContained });
    if (isContained) return;
    this.note(dict, content);
    mark(content, walk);
  }

  private useState(state: PDFDict | undefined, content: Content, walk: PageWalk) {
    if (!state) return;
    for (const [key, value] of state.entries()) if (key !== name("SMask")) this.note(value, content);
    const odd = oddityOf("ExtGState", state, (value) => this.source.look(value));
    if (odd) walk.odd.add(odd);
    const [font] = this.list(state.get(name("Font")));
    if (font) this.useFont(font, content, walk);
    const mask = this.dict(state.get(name("SMask")));
    if (mask) this.openForm(mask.get(name("G")), content, walk);
  }

  private openForm(value: PDFObject | undefined, content: Content, walk: PageWalk) {
    const stream = this.source.look(value);
    if (!(stream instanceof PDFRawStream)) return;
    if (this.source.look(stream.dict.get(name("Subtype"))) === name("Image")) {
      walk.pictures.add(stream);
      this.noteOddities("Image", stream, content, walk);
    } else this.open(stream, this.dict(stream.dict.get(name("Resources"))), content, walk);
  }

  private noteOddities(kind: Parameters<typeof oddityOf>[0], value: PDFObject, content: Content, { odd }: PageWalk) {
    this.note(value, content);
    const oddity = oddityOf(kind, value, (other) => this.source.look(other));
    if (oddity) odd.add(oddity);
  }

  /** The appearances of an annotation in all its states. */
  private openAppearances(value: PDFObject | undefined, around: Content, walk: PageWalk) {
    for (const appearance of this.dict(value)?.values() ?? []) {
      const states = this.source.look(appearance);
      if (states instanceof PDFDict) for (const state of states.values()) this.openForm(state, around, walk);
      else this.openForm(states, around, walk);
    }
  }

  private open(value: PDFObject, own: PDFDict | undefined, within: Content, { open, visited }: PageWalk) {
    const stream = this.source.look(value);
    if (!(stream instanceof PDFRawStream)) return;
    const scope = { own: own ?? within.scope.own, others: within.scope.others };
    let scopes = visited.get(stream);
    if (!scopes) visited.set(stream, (scopes = new Set()));
    if (scopes.has(scope.own)) return;
    scopes.add(scope.own);
    if ((this.contentsLeft -= 1) < 0) throw new TooComplex();
    const content = { streams: [stream], scope, within, hash: createHash("sha256") };
    for (const key of ["Matrix", "BBox"]) this.note(stream.dict.get(name(key)), content);
    open.push(content);
  }

  /** Adds a value with everything it references. A value that is deeper or larger than fonts equals no other. */
  private note(value: PDFObject | undefined, { hash }: Content) {
    const open: { value: PDFObject | undefined; depth: number }[] = [{ value, depth: 0 }];
    for (let next = open.pop(), objectsLeft = maxNoted; next; next = open.pop()) {
      if (next.depth > maxDepth || (objectsLeft -= 1) < 0) return void hash.update(randomUUID());
      const object = this.source.look(next.value);
      const depth = next.depth + 1;
      if (object instanceof PDFRawStream) hash.update(object.contents);
      const dict = this.dict(object);
      if (dict) for (const [key, item] of dict.entries()) open.push({ value: key, depth }, { value: item, depth });
      else if (object instanceof PDFArray) for (const item of object.asArray()) open.push({ value: item, depth });
      else hash.update(`${String(object)} `);
    }
  }

  private namesOf(streams: PDFRawStream[]): ContentNames {
    const [first] = streams;
    if (streams.length === 1 && this.names.has(first!)) return this.names.get(first!);
    const contents = streams.flatMap((stream) => this.unpacked(stream, this.bytesLeft) ?? []);
    const names = contents.length === streams.length ? namesIn(contents) : undefined;
    if (streams.length === 1) this.names.set(first!, names);
    return names;
  }

  private unpacked(stream: PDFRawStream, maxBytes: number): Buffer | undefined {
    const bytes = unpackedStream(stream, (value) => this.source.look(value), maxBytes);
    if ((this.bytesLeft -= bytes?.length ?? 0) <= 0) throw new TooComplex();
    return bytes && Buffer.from(bytes);
  }

  private hasProgram(dict: PDFDict): boolean {
    const unpack = (program: PDFRawStream) => this.unpacked(program, Math.min(maxProgramBytes, this.bytesLeft));
    return isContained(dict, (value) => this.source.look(value), unpack);
  }

  private dict(value: PDFObject | undefined): PDFDict | undefined {
    const object = this.source.look(value);
    const dict = object instanceof PDFRawStream ? object.dict : object;
    return dict instanceof PDFDict ? dict : undefined;
  }

  private list(value: PDFObject | undefined): PDFObject[] {
    const object = this.source.look(value);
    return object instanceof PDFArray ? object.asArray() : [];
  }

  private streams(value: PDFObject | undefined): PDFRawStream[] {
    const object = this.source.look(value);
    const all = object instanceof PDFArray ? object.asArray().map((item) => this.source.look(item)) : [object];
    return all.filter((stream) => stream instanceof PDFRawStream);
  }
}

function mark(content: Content, { marked }: PageWalk) {
  for (let one: Content | undefined = content; one && !marked.has(one); one = one.within) marked.add(one);
}

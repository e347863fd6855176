import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";
import { mebibytesInBytes } from "../../units.ts";
import { Layers } from "./pdf-layers.ts";
import type { Resolve, PdfReader } from "./pdf-reader.ts";
import { type DictionaryRule, decodeParms, maxNameLength, type Rule, type StreamRule } from "./pdf-rules.ts";
import { packedStream } from "./pdf-streams.ts";

/** Thrown when a copy is over budget: references can make it far larger than its source. */
export class PdfTooLarge extends Error {}

/** Budget of entries, dictionaries and arrays for the pages of one file; the richest take a tenth. */
const maxEntries = 5_000_000;

/** Budget for decompressing pictures within a second filter, beside twice the file. */
const maxUnpackedBytes = mebibytesInBytes(64);

type Task = { source: PDFObject; copy: PDFArray | PDFDict; rule: Rule };

/**
 * Copies objects from one PDF to another by rules, without keys that have none. It survives cycles and any depth by a
 * worklist, and one copy of each indirect object per rule.
 */
export class PdfCopier {
  readonly look: Resolve;
  private readonly to: PDFContext;
  private readonly layers: Layers;
  private readonly references = new Map<Rule, Map<PDFObject, PDFRef | undefined>>();
  /** The copies that others can refer to, by their sources. */
  readonly copies: Map<PDFObject, PDFRef>;
  private readonly placed: [PDFRef, PDFObject][] = [];
  private readonly tasks: Task[] = [];
  private entriesLeft: number;
  private bytesLeft: number;
  private unpackedBytesLeft: number;

  /**
   * `bytes` is the length of the source. The streams' budget is twice that, since few are needed under two rules. `copies`
   * are those of a copier before, and `entries` another budget than that of pages.
   */
  constructor(
    source: PdfReader,
    target: PDFDocument,
    bytes: number,
    { copies = new Map<PDFObject, PDFRef>(), entries = maxEntries } = {},
  ) {
    this.look = (value) => source.look(value);
    this.copies = copies;
    this.entriesLeft = entries;
    this.to = target.context;
    this.layers = new Layers(source, target);
    this.bytesLeft = 2 * bytes;
    this.unpackedBytesLeft = 2 * bytes + maxUnpackedBytes;
  }

  /** The copy of a value, as a reference if the value is one; undefined if the rule does not fit. */
  copy(value: PDFObject | undefined, rule: Rule): PDFObject | undefined {
    if (rule.is === "constant") return rule.value;
    const object = this.look(value);
    if (rule.is === "made")
      return object instanceof PDFDict ? this.share(object, rule) : rule.make(object, this.look, this.to);
    if (!object) return undefined;
    if (rule.is === "copied") return this.copies.get(object);
    if (rule.is === "layer") return object instanceof PDFDict ? this.layers.layerOf(object) : undefined;
    if (rule.is === "choice") {
      const chosen = rule.choose(object, this.look);
      return chosen && this.copy(value, chosen);
    }
    if (rule.is === "scalar") return rule.take(object);
    return value instanceof PDFRef || rule.is === "stream" ? this.share(object, rule) : this.begin(object, rule);
  }

  /** A reference to the one copy of an object under a rule. */
  share(object: PDFObject, rule: Rule): PDFRef | undefined {
    let references = this.references.get(rule);
    if (!references) this.references.set(rule, (references = new Map()));
    if (references.has(object)) return references.get(object);
    const copy = rule.is === "made" ? rule.make(object, this.look, this.to) : this.begin(object, rule);
    const reference = copy instanceof PDFRef ? copy : copy && this.place(copy);
    references.set(object, reference);
    if (reference) this.copies.set(object, reference);
    return reference;
  }

  /** Adds an object to the target and returns its reference. */
  place(object: PDFObject): PDFRef {
    return this.placeAt(this.to.nextRef(), object);
  }

  /** Adds an object to the target under a reference of it. */
  placeAt(reference: PDFRef, object: PDFObject): PDFRef {
    this.placed.push([reference, object]);
    return reference;
  }

  /** The copy of a dictionary, to which the caller may add entries. */
  dictionary(source: PDFDict, rule: Rule): PDFDict {
    return this.into(PDFDict.withContext(this.to), source, rule);
  }

  /** Schedules the copying of entries into a dictionary or array of the target. */
  into<Copy extends PDFArray | PDFDict>(copy: Copy, source: PDFObject, rule: Rule): Copy {
    this.spend();
    this.tasks.push({ source, copy, rule });
    return copy;
  }

  /** Takes one entry from the budget; throws `PdfTooLarge` when it is used up. */
  spend(): void {
    this.entriesLeft -= 1;
    if (this.entriesLeft < 0) throw new PdfTooLarge("The objects of a PDF are over budget");
  }

  /** Copies the scheduled objects. */
  drain(): void {
    for (let task = this.tasks.pop(); task; task = this.tasks.pop()) this.fill(task);
  }

  /** Copies the scheduled objects, and only then adds them to the target. */
  finish(): void {
    this.drain();
    for (const [reference, object] of this.placed) this.to.assign(reference, object);
    this.layers.add();
  }

  private begin(object: PDFObject, rule: Rule): PDFObject | undefined {
    if (rule.is === "stream") return object instanceof PDFRawStream ? this.stream(object, rule) : undefined;
    if (rule.is !== "array") {
      const required = rule.is === "dictionary" && rule.requires ? PDFName.of(rule.requires) : undefined;
      if (!(object instanceof PDFDict) || (required && !this.isCopied(object.get(required)))) return undefined;
      return this.dictionary(object, rule);
    }
    return object instanceof PDFArray ? this.into(PDFArray.withContext(this.to), object, rule) : undefined;
  }

  private isCopied(value: PDFObject | undefined) {
    const object = this.look(value);
    return object !== undefined && this.copies.has(object);
  }

  private stream(source: PDFRawStream, rule: Rule): PDFObject | undefined {
    const packed = packedStream(source, this.look, this.unpackedBytesLeft);
    if (!packed) return undefined;
    this.unpackedBytesLeft -= packed.unpackedBytes;
    this.bytesLeft -= packed.bytes.length;
    if (this.bytesLeft < 0) throw new PdfTooLarge("The streams of a PDF are over budget");
    const dict = this.dictionary(source.dict, rule);
    const { filters } = packed;
    const parms = filters.map((filter) => (filter.parms ? this.dictionary(filter.parms, decodeParms) : PDFNull));
    if (filters.length > 0) dict.set(PDFName.of("Filter"), this.to.obj(filters.map(({ name }) => name)));
    if (parms.some((value) => value !== PDFNull)) dict.set(PDFName.of("DecodeParms"), this.to.obj(parms));
    return PDFRawStream.of(dict, packed.bytes);
  }

  private fill({ source, copy, rule }: Task) {
    if (rule.is === "array") {
      for (const [place, item] of (source as PDFArray).asArray().entries()) {
        const of = rule.ruleAt(place);
        const value = this.entry(item, of);
        if (value || !rule.dropsMisfits) (copy as PDFArray).push(value ?? PDFNull);
      }
    } else if (rule.is === "names") {
      for (const [key, item] of (source as PDFDict).entries()) {
        const value = this.entry(item, rule.to);
        if (value && key.sizeInBytes() <= maxNameLength) (copy as PDFDict).set(key, value);
      }
    } else if (rule.is === "dictionary" || rule.is === "stream") {
      for (const [key, of] of keysOf(rule)) {
        const value = this.entry((source as PDFDict).get(key), of);
        if (value) (copy as PDFDict).set(key, value);
      }
    }
  }

  private entry(value: PDFObject | undefined, rule: Rule | undefined) {
    this.spend();
    return rule && this.copy(value, rule);
  }
}

const keysByRule = new WeakMap<Rule, [PDFName, Rule][]>();

function keysOf(rule: DictionaryRule | StreamRule): [PDFName, Rule][] {
  let keys = keysByRule.get(rule);
  if (!keys) {
    keys = Object.entries(rule.keys()).map(([key, of]) => [PDFName.of(key), of]);
    keysByRule.set(rule, keys);
  }
  return keys;
}

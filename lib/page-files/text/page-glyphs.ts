import type { PDFDict } from "@cantoo/pdf-lib";
import { ContentTokens, ContentTooComplex, type Operand, type Operation } from "./content-tokens.ts";
import type { PageFont } from "./page-fonts.ts";
import { PageResources } from "./page-resources.ts";
import type { Resolve } from "../pdf/pdf-reader.ts";
import { identity, type Matrix, type Point, TextPosition, times } from "./text-position.ts";

/** Follows a page's content (ISO 32000-2, 8.4 and 9.4) to where each character is shown and how. */

/** How text looks, as operators and names of the page's resources. */
export type TextLook = { colour: string; alpha: string | undefined; layers: string[] };

/** One operator that shows text. */
export type Show = {
  start: number;
  end: number;
  /** The effect of ' and " before they show text. */
  before: string;
  elements: (number | Uint8Array)[];
  /** By the operator Tf. */
  size: number;
  look: TextLook;
  /** Whether its characters are drawn as usual, at a known place. */
  isPlain: boolean;
};

export type Glyph = {
  show: Show;
  /** Which of the operator's elements, and which bytes of it. */
  element: number;
  at: number;
  bytes: number;
  text: string;
  /** In thousandths of the font's size, with the spaces between characters. */
  advance: number;
  /** Where it begins and ends on the baseline, in points. */
  from: Point;
  to: Point;
  /** The direction of its line, of length 1. */
  along: Point;
  /** In points. */
  size: number;
};

/** A part of the content to be replaced. */
export type Edit = { start: number; end: number; text: string };

export type PageGlyphs = { glyphs: Glyph[]; edits: Edit[]; closing: string };

type State = TextLook & {
  ctm: Matrix;
  space: string;
  font: PageFont | undefined;
  size: number;
  charSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  rise: number;
  mode: number;
};

const maxGlyphs = 300_000;
const maxStates = 500;
const maxColourLength = 200;

/** The characters that a page's content shows, without those of forms within it. Throws `ContentTooComplex`. */
export function readGlyphs(content: Buffer, resources: PDFDict | undefined, look: Resolve): PageGlyphs {
  const reader = new GlyphReader(content, new PageResources(resources, look));
  for (const operation of new ContentTokens(content).operations()) reader.apply(operation);
  return reader.result();
}

class GlyphReader {
  private readonly content: Buffer;
  private readonly resources: PageResources;
  private readonly text = new TextPosition();
  private readonly states: State[] = [];
  private readonly marks: (string | undefined)[] = [];
  private readonly glyphs: Glyph[] = [];
  private readonly edits: Edit[] = [];
  private state: State = {
    ctm: identity,
    colour: "0 g",
    space: "",
    alpha: undefined,
    layers: [],
    font: undefined,
    size: 0,
    charSpace: 0,
    wordSpace: 0,
    scale: 1,
    leading: 0,
    rise: 0,
    mode: 0,
  };

  constructor(content: Buffer, resources: PageResources) {
    [this.content, this.resources] = [content, resources];
  }

  result(): PageGlyphs {
    const closing = `${this.text.isInText ? " ET" : ""}${" EMC".repeat(this.marks.length)}${" Q".repeat(this.states.length)}`;
    return { glyphs: this.glyphs, edits: this.edits, closing };
  }

  apply(operation: Operation) {
    const { operator, operands } = operation;
    const numbers = operands.filter((operand) => typeof operand === "number");
    const [first = 0] = numbers;
    const { state } = this;
    switch (operator) {
      case "q":
        if (this.states.length >= maxStates) throw new ContentTooComplex("The states of a page are over budget");
        return void this.states.push({ ...state });
      case "Q":
        return this.restore(operation);
      case "cm":
        if (numbers.length === 6) state.ctm = times(numbers as Matrix, state.ctm);
        return;
      case "gs":
        return void Object.assign(state, this.resources.graphicsState(operands[0]));
      case "BMC":
      case "BDC":
        return this.beginMark(operation);
      case "EMC":
        return void this.marks.pop();
      case "Tc":
        return void (state.charSpace = first);
      case "Tw":
        return void (state.wordSpace = first);
      case "Tz":
        return void (state.scale = first / 100);
      case "TL":
        return void (state.leading = first);
      case "Ts":
        return void (state.rise = first);
      case "Tr":
        return void (state.mode = first);
      case "Tf":
        state.font = this.resources.font(operands[0]);
        state.size = first;
        return;
    }
    if (!this.applyColour(operation)) this.applyText(operation, numbers);
  }

  private restore({ start, end }: Operation) {
    const before = this.states.pop();
    if (before) this.state = before;
    // One too many would restore the state around the page's content.
    else this.edits.push({ start, end, text: "" });
  }

  private applyColour({ operator, start, end }: Operation): boolean {
    const { state } = this;
    const raw = () => (end - start > maxColourLength ? "" : this.content.toString("latin1", start, end));
    if (["g", "rg", "k"].includes(operator)) state.colour = raw() || "0 g";
    else if (operator === "cs") [state.space, state.colour] = [raw(), raw() || "0 g"];
    else if (operator === "sc" || operator === "scn") state.colour = `${state.space}\n${raw()}`;
    else return false;
    return true;
  }

  private applyText(operation: Operation, numbers: number[]) {
    const { operator, operands } = operation;
    const [x = 0, y = 0] = numbers;
    if (operator === "BT") this.text.begin();
    else if (operator === "ET") this.text.isInText = false;
    else if (operator === "Tm" && numbers.length === 6) this.text.place(numbers as Matrix);
    else if (operator === "Td") this.text.move(x, y);
    else if (operator === "TD") {
      this.state.leading = -y;
      this.text.move(x, y);
    } else if (operator === "T*") this.nextLine();
    else if (operator === "Tj") this.show(operation, operands.slice(-1));
    else if (operator === "TJ") {
      const array = operands.at(-1);
      if (array && typeof array === "object" && "items" in array) this.show(operation, array.items);
    } else if (operator === "'") {
      this.nextLine();
      this.show(operation, operands.slice(-1), "T* ");
    } else if (operator === '"') {
      [this.state.wordSpace, this.state.charSpace] = [x, y];
      this.nextLine();
      this.show(operation, operands.slice(-1), `${x} Tw ${y} Tc T* `);
    }
  }

  private nextLine() {
    this.text.move(0, -this.state.leading);
  }

  private show({ start, end }: Operation, items: Operand[], before = "") {
    const { state } = this;
    const elements = items.filter((item) => typeof item === "number" || item instanceof Uint8Array);
    const { font, size, scale, ctm, mode } = state;
    if (!font) {
      this.text.isKnown = false;
      return;
    }
    const [a, b, c, d] = times(this.text.matrix, ctm);
    const area = (a * d - b * c) * scale;
    const length = Math.hypot(a, b);
    const sign = Math.sign(size * scale);
    const height = Math.abs(size * area) / (length * Math.abs(scale));
    const isPlain =
      this.text.isInText && this.text.isKnown && (mode === 0 || mode === 2) && area > 0 && height >= 1 && height < 300;
    const look = { colour: state.colour, alpha: state.alpha, layers: this.marks.flatMap((mark) => mark ?? []) };
    const show: Show = { start, end, before, elements, size, look, isPlain };
    const along = { x: (sign * a) / length, y: (sign * b) / length };
    for (const [element, item] of elements.entries()) {
      if (typeof item === "number") this.text.advance((-item / 1000) * size * scale);
      else this.showString(show, { element, item, along, height });
    }
  }

  private showString(show: Show, { element, item, along, height }: ShownString) {
    const { font, size, charSpace, wordSpace, scale, ctm, rise } = this.state;
    for (const { at, bytes, text, width, isSpace } of font!.charactersOf(item)) {
      const shift = width * size + charSpace + (isSpace ? wordSpace : 0);
      const from = this.text.point(ctm, 0, rise);
      // The space after a letter is not a part of it.
      const to = this.text.point(ctm, width * size * scale, rise);
      this.text.advance(shift * scale);
      const advance = size === 0 ? 0 : (shift / size) * 1000;
      this.glyphs.push({ show, element, at, bytes, text, advance, from, to, along, size: height });
      if (this.glyphs.length > maxGlyphs) throw new ContentTooComplex("The text of a page is over budget");
    }
  }

  private beginMark({ operands: [tag, properties], start, end }: Operation) {
    const called = typeof tag === "object" && "name" in tag ? tag.name : "";
    const layer = called === "OC" ? this.resources.layer(properties) : undefined;
    this.marks.push(layer);
    // Programs that copy text prefer this one, which would stay.
    const isInline = typeof properties === "object" && !(properties instanceof Uint8Array) && "entries" in properties;
    if (isInline && hasBraces(properties.entries)) {
      this.edits.push({ start, end, text: "/Span BMC" });
    }
  }
}

type ShownString = { element: number; item: Uint8Array; along: Point; height: number };

const braces = new Set([..."{}"].map((brace) => brace.charCodeAt(0)));
const hasBraces = (entries: Operand[]) =>
  entries.some((entry) => entry instanceof Uint8Array && entry.some((byte) => braces.has(byte)));

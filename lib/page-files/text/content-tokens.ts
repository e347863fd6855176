/** Reads the operators of a page's content (ISO 32000-2, 7.8.2), with where each stands in its bytes. */

export type Operand =
  | number
  | Uint8Array
  | { name: string }
  | { items: Operand[] }
  /** Keys and values in turn. */
  | { entries: Operand[] }
  | { word: string };

export type Operation = { operator: string; operands: Operand[]; start: number; end: number };

/** Thrown for content that is deeper or longer than pages are. */
export class ContentTooComplex extends Error {}

const maxDepth = 20;
/** As many as programs that draw pages keep; more are not an operator's. */
const maxOperands = 64;

const codeOf = (character: string) => character.charCodeAt(0);
const setOf = (characters: string) => new Set([...characters].map(codeOf));
const spaces = setOf("\0\t\n\f\r ");
const delimiters = setOf("()<>[]{}/%");
const [openParenthesis, closeParenthesis, less, greater] = [..."()<>"].map(codeOf) as [number, number, number, number];
const [openBracket, closeBracket, slash, percent, backslash, hash] = [..."[]/%\\#"].map(codeOf) as number[];
const lineEnds = setOf("\r\n");
const escapes = new Map(Object.entries({ n: 10, r: 13, t: 9, b: 8, f: 12 }).map(([key, code]) => [codeOf(key), code]));

/** Of as many digits as every program reads. */
const plainNumber = /^[-+]?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})$/;

/** A token beside an operand: an operator, or the end of an array or dictionary. */
type Token = Operand | { ends: number };

export class ContentTokens {
  /** Whether there was what programs read in different ways: as a number or not, or a picture with another end. */
  isAmbiguous = false;
  private readonly bytes: Buffer;
  private at = 0;
  private tokensLeft: number;

  constructor(bytes: Buffer, maxTokens = 2_000_000) {
    this.bytes = bytes;
    this.tokensLeft = maxTokens;
  }

  *operations(): Generator<Operation> {
    let operands: Operand[] = [];
    let start = -1;
    for (;;) {
      this.skipSpace();
      if (this.at >= this.bytes.length) return;
      if (start < 0) start = this.at;
      const token = this.token(0);
      if (typeof token === "number" || token instanceof Uint8Array || !("word" in token)) {
        if (typeof token !== "number" && "ends" in token) continue;
        operands.push(token);
        if (operands.length > maxOperands) operands = operands.slice(-maxOperands / 2);
        continue;
      }
      if (["true", "false", "null"].includes(token.word)) {
        operands.push(token);
        continue;
      }
      if (token.word === "BI") this.skipInlineImage();
      yield { operator: token.word, operands, start, end: this.at };
      operands = [];
      start = -1;
    }
  }

  private token(depth: number): Token {
    this.tokensLeft -= 1;
    if (this.tokensLeft < 0 || depth > maxDepth) throw new ContentTooComplex("The content of a page is over budget");
    const { bytes } = this;
    const first = bytes[this.at]!;
    if (first === slash) return this.nameToken();
    if (first === openParenthesis) return this.literal();
    if (first === less && bytes[this.at + 1] === less) {
      this.at += 2;
      return { entries: this.until(greater, depth) };
    }
    if (first === less) return this.hexadecimal();
    if (first === openBracket) {
      this.at += 1;
      return { items: this.until(closeBracket!, depth) };
    }
    if (first === closeBracket || first === greater) {
      this.at += first === greater && bytes[this.at + 1] === greater ? 2 : 1;
      return { ends: first };
    }
    if (delimiters.has(first)) {
      this.at += 1;
      return { ends: first };
    }
    const word = this.regular();
    if (/^[-+.\d]/.test(word) && !plainNumber.test(word)) this.isAmbiguous = true;
    const number =
      /^[+-]*\d*(\.\d*)?(-\d*)?$/.test(word) && /\d/.test(word)
        ? Number.parseFloat(word.replace(/^[+-]*-/, "-"))
        : Number.NaN;
    return Number.isNaN(number) ? { word } : number;
  }

  private until(end: number, depth: number): Operand[] {
    const items: Operand[] = [];
    for (;;) {
      this.skipSpace();
      if (this.at >= this.bytes.length) return items;
      const item = this.token(depth + 1);
      if (typeof item === "number" || item instanceof Uint8Array || !("ends" in item)) items.push(item);
      else if (item.ends === end) return items;
    }
  }

  private skipSpace() {
    const { bytes } = this;
    for (;;) {
      while (spaces.has(bytes[this.at]!)) this.at += 1;
      if (bytes[this.at] !== percent) return;
      while (this.at < bytes.length && !lineEnds.has(bytes[this.at]!)) this.at += 1;
    }
  }

  private regular(): string {
    const start = this.at;
    const { bytes } = this;
    while (this.at < bytes.length && !spaces.has(bytes[this.at]!) && !delimiters.has(bytes[this.at]!)) this.at += 1;
    return bytes.toString("latin1", start, this.at);
  }

  private nameToken(): Operand {
    this.at += 1;
    const raw = this.regular();
    const decoded = raw.includes(String.fromCharCode(hash!))
      ? raw.replace(/#([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      : raw;
    return { name: decoded };
  }

  private hexadecimal(): Uint8Array {
    const start = this.at + 1;
    const end = this.bytes.indexOf(greater, start);
    this.at = end < 0 ? this.bytes.length : end + 1;
    const digits = this.bytes.toString("latin1", start, end < 0 ? undefined : end).replace(/[^0-9a-f]/gi, "");
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, "hex");
  }

  private literal(): Uint8Array {
    const { bytes } = this;
    const out: number[] = [];
    let nesting = 1;
    this.at += 1;
    while (this.at < bytes.length) {
      const byte = bytes[this.at++]!;
      if (byte === backslash) this.escape(out);
      else {
        if (byte === openParenthesis) nesting += 1;
        if (byte === closeParenthesis) nesting -= 1;
        if (nesting === 0) break;
        out.push(byte);
      }
    }
    return Uint8Array.from(out);
  }

  /** Escapes in a string (7.3.4.2). */
  private escape(out: number[]) {
    const { bytes } = this;
    const octal = /^[0-7]{1,3}/.exec(bytes.toString("latin1", this.at, this.at + 3))?.[0];
    if (octal) {
      out.push(Number.parseInt(octal, 8) & 255);
      this.at += octal.length;
      return;
    }
    const byte = bytes[this.at++];
    if (byte === undefined) return;
    if (byte === 13 && bytes[this.at] === 10) this.at += 1;
    if (!lineEnds.has(byte)) out.push(escapes.get(byte) ?? byte);
  }

  /** Skips a picture within the content (8.9.7), whose bytes may look like operators. */
  private skipInlineImage() {
    for (;;) {
      this.skipSpace();
      if (this.at >= this.bytes.length) return;
      const token = this.token(0);
      if (typeof token === "object" && "word" in token && token.word === "ID") break;
    }
    for (let at = this.at; ; at += 1) {
      at = this.bytes.indexOf("EI", at, "latin1");
      if (at < 0) {
        this.at = this.bytes.length;
        this.isAmbiguous = true;
        return;
      }
      const after = this.bytes.subarray(at + 2, at + 12);
      const isText = after.every((byte) => spaces.has(byte) || (byte >= 32 && byte < 127));
      if (spaces.has(this.bytes[at - 1]!) && (after.length === 0 || spaces.has(after[0]!)) && isText) {
        this.at = at + 2;
        return;
      }
      if (spaces.has(this.bytes[at - 1]!) && spaces.has(this.bytes[at + 2] ?? 0)) this.isAmbiguous = true;
    }
  }
}

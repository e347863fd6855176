import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, type PDFRef, PDFString } from "@cantoo/pdf-lib";
import type { PdfReader } from "./pdf-reader.ts";

/**
 * Optional content (ISO 32000-2, 8.11). A copy has two layers of its own in place of a file's: one that is shown and one
 * that is hidden, on paper as well, both locked and not listed. Viewers differ in conditions and in layers of one name.
 */

const name = (text: string) => PDFName.of(text);
const maxDepth = 32;

export class Layers {
  private readonly source: PdfReader;
  private readonly target: PDFDocument;
  private readonly config: PDFObject | undefined;
  private readonly on: Set<unknown>;
  private readonly off: Set<unknown>;
  /** By expression and depth, since each may be in many others. */
  private readonly results = new Map<PDFArray, Map<number, boolean>>();
  private readonly states = new Map<PDFObject | undefined, { on: boolean; off: boolean }>();
  private copies: { visible: PDFRef; hidden: PDFRef } | undefined;

  constructor(source: PdfReader, target: PDFDocument) {
    this.source = source;
    this.target = target;
    this.config = this.entry(this.entry(source.catalog, "OCProperties"), "D");
    this.on = new Set(this.list(this.config, "ON"));
    this.off = new Set(this.list(this.config, "OFF"));
  }

  /** The layer of the copy for a layer or a condition of layers. */
  layerOf(content: PDFDict): PDFRef {
    const { context } = this.target;
    this.copies ??= { visible: context.nextRef(), hidden: context.nextRef() };
    return this.isShown(content) ? this.copies.visible : this.copies.hidden;
  }

  /** Adds the copy's layers to the document's layers from other files. */
  add(): void {
    if (!this.copies) return;
    const { catalog, context } = this.target;
    const { visible, hidden } = this.copies;
    for (const [ref, label] of [[visible, "On"] as const, [hidden, "Off"] as const])
      context.assign(ref, context.obj({ Type: "OCG", Name: PDFString.of(label) }));
    if (!catalog.has(name("OCProperties"))) {
      // PDF/A demands a name.
      const config = { Name: PDFString.of("Default"), OFF: [], Locked: [] };
      catalog.set(name("OCProperties"), context.obj({ OCGs: [], D: config }));
    }
    const properties = catalog.lookup(name("OCProperties"), PDFDict);
    const config = properties.lookup(name("D"), PDFDict);
    for (const list of [properties.lookup(name("OCGs"), PDFArray), config.lookup(name("Locked"), PDFArray)])
      for (const layer of [visible, hidden]) list.push(layer);
    config.lookup(name("OFF"), PDFArray).push(hidden);
  }

  /** As PDFium decides. */
  private isShown(content: PDFDict): boolean {
    if (this.entry(content, "Type") !== name("OCMD")) return this.isOn(content);
    const expression = this.entry(content, "VE");
    if (expression instanceof PDFArray) return this.holds(expression, 0);
    const groups = this.entry(content, "OCGs");
    if (groups instanceof PDFDict) return this.isOn(groups);
    const { on, off } = this.statesIn(groups);
    const policy = this.entry(content, "P");
    if (policy === name("AllOn")) return !off;
    if (policy === name("AllOff")) return !on;
    return policy === name("AnyOff") ? off || !on : on || !off;
  }

  /** Whether some of a list's layers are on, and some off. */
  private statesIn(groups: PDFObject | undefined) {
    let states = this.states.get(groups);
    if (!states) {
      const list = groups instanceof PDFArray ? groups.asArray().map((item) => this.source.look(item)) : [];
      const all = new Set(list.map((group) => !(group instanceof PDFDict) || this.isOn(group)));
      this.states.set(groups, (states = { on: all.has(true), off: all.has(false) }));
    }
    return states;
  }

  private isOn(group: PDFDict): boolean {
    const viewed = this.entry(this.entry(this.entry(group, "Usage"), "View"), "ViewState");
    if (viewed instanceof PDFName) return viewed !== name("OFF");
    if (this.off.has(group)) return false;
    return this.on.has(group) || this.entry(this.config, "BaseState") !== name("OFF");
  }

  private holds(expression: PDFArray, depth: number): boolean {
    let results = this.results.get(expression);
    if (!results) this.results.set(expression, (results = new Map()));
    if (!results.has(depth)) results.set(depth, this.resultOf(expression, depth));
    return results.get(depth)!;
  }

  private resultOf(expression: PDFArray, depth: number): boolean {
    const [operator, ...operands] = expression.asArray().map((item) => this.source.look(item));
    const values = operands.map((operand) => {
      if (operand instanceof PDFArray) return depth < maxDepth && this.holds(operand, depth + 1);
      return operand instanceof PDFDict && this.isOn(operand);
    });
    if (operator === name("Not")) return values[0] === false;
    return operator === name("And") ? values.every(Boolean) : values.some(Boolean);
  }

  private entry(of: PDFObject | undefined, key: string) {
    return of instanceof PDFDict ? this.source.look(of.get(name(key))) : undefined;
  }

  private list(of: PDFObject | undefined, key: string) {
    const array = this.entry(of, key);
    return array instanceof PDFArray ? array.asArray().map((item) => this.source.look(item)) : [];
  }
}

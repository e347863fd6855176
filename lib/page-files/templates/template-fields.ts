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
import type { Resolve, PdfReader } from "../pdf/pdf-reader.ts";

/** The form fields of a template (ISO 32000-2, 12.7), read from a copy by PDFium. */

export const templateLimits = {
  fields: 200,
  nameLength: 100,
  valueLength: 2000,
  pages: 50,
  options: 500,
  optionsLength: 50_000,
};

export type FieldKind = "text" | "check box" | "radio buttons" | "choice";

/** A place on a page that shows a field. */
export type Widget = {
  /** From 0. */
  page: number;
  kind: FieldKind;
  field: string;
  /** Text around the columns, as `{{first}} {{last}}`. */
  pattern: string;
  box: [left: number, bottom: number, right: number, top: number];
  /** Quarter turns against the clock. */
  turns: number;
  /** 0 if the field chooses it. */
  size: number;
  /** An operator that sets the colour. */
  colour: string;
  align: number;
  isMultiline: boolean;
  maxLength: number | undefined;
  /** Of a choice or radio buttons: what may be chosen; undefined if other texts may be. */
  options: string[] | undefined;
  /** Of a check box or radio button: the name of its state. */
  state: string | undefined;
};

/** A form's part of a page: a field, nothing, or why a template can't have it. */
export type ReadWidget = { widget: Widget } | { dropped: true } | { refused: string };

const name = (text: string) => PDFName.of(text);
const bits = { hidden: 2, noView: 32, multiline: 1 << 12, password: 1 << 13, radio: 1 << 15, push: 1 << 16 };
const editable = 1 << 18;
const maxDepth = 20;

/** Ends are no spaces, so that a long row of them is read once. */
export const columnPattern = /\{\{\s*([^{}\s](?:[^{}]{0,98}[^{}\s])?)\s*\}\}/g;

/** The columns that a pattern names. */
export const columnsOf = (pattern: string): string[] =>
  [...pattern.matchAll(columnPattern)].map(([, column]) => column!);

/** Whether the file has a form that other programs draw by XFA, which is not read here. */
export function hasXfa(source: PdfReader): boolean {
  const form = source.look(source.catalog.get(name("AcroForm")));
  return form instanceof PDFDict && form.has(name("XFA"));
}

/** Reads an annotation; undefined if it is no form field. */
export function readWidget(source: PdfReader, annotation: PDFDict, page: number): ReadWidget | undefined {
  const look = (value: PDFObject | undefined) => source.look(value);
  if (look(annotation.get(name("Subtype"))) !== name("Widget")) return undefined;
  const line = lineOf(annotation, look);
  const inherited = (key: string) => {
    for (const dict of line) if (dict.has(name(key))) return look(dict.get(name(key)));
    return undefined;
  };
  const type = inherited("FT");
  const flags = numberOf(inherited("Ff"));
  if (type === name("Sig")) return { refused: "has a signature field: remove it and add the file again" };
  const hidden = numberOf(look(annotation.get(name("F")))) & (bits.hidden | bits.noView);
  if (hidden || (type === name("Btn") && flags & bits.push)) return { dropped: true };
  const kind = kindOf(type, flags);
  const box = boxOf(look(annotation.get(name("Rect"))), look);
  if (!kind || !box) return { dropped: true };
  const parts = line.map((dict) => textOf(look(dict.get(name("T"))))).filter(Boolean);
  const field = parts.toReversed().join(".");
  if (!field) return { refused: "has a form field without a name" };
  if (field.length > templateLimits.nameLength || /[\p{Cc}{}]/u.test(field)) {
    return {
      refused: `has a form field whose name is longer than ${templateLimits.nameLength} characters or has braces`,
    };
  }
  const sample = textOf(inherited("V")) || textOf(inherited("DV"));
  const form = look(source.catalog.get(name("AcroForm")));
  const appearance = textOf(inherited("DA")) || (form instanceof PDFDict ? textOf(look(form.get(name("DA")))) : "");
  const characteristics = look(annotation.get(name("MK")));
  const turned = characteristics instanceof PDFDict ? numberOf(look(characteristics.get(name("R")))) : 0;
  const maxLength = inherited("MaxLen");
  const widget: Widget = {
    page,
    kind,
    field,
    pattern: columnsOf(sample).length > 0 ? sample : `{{${field}}}`,
    box,
    turns: ((Math.round(turned / 90) % 4) + 4) % 4 || 0,
    ...lookOf(appearance),
    align: numberOf(inherited("Q")),
    isMultiline: kind === "text" && (flags & bits.multiline) !== 0,
    maxLength: kind === "text" && numberOf(maxLength) > 0 ? numberOf(maxLength) : undefined,
    options: kind === "choice" && !(flags & editable) ? optionsOf(inherited("Opt"), look) : undefined,
    state: kind === "check box" || kind === "radio buttons" ? stateOf(annotation, look) : undefined,
  };
  return { widget };
}

/** The annotation and the fields above it. */
function lineOf(annotation: PDFDict, look: Resolve): PDFDict[] {
  const line: PDFDict[] = [];
  let next: PDFObject | undefined = annotation;
  while (next instanceof PDFDict && line.length < maxDepth && !line.includes(next)) {
    line.push(next);
    next = look(next.get(name("Parent")));
  }
  return line;
}

function kindOf(type: PDFObject | undefined, flags: number): FieldKind | undefined {
  if (type === name("Tx")) return "text";
  if (type === name("Ch")) return "choice";
  if (type === name("Btn")) return flags & bits.radio ? "radio buttons" : "check box";
  return undefined;
}

const numberOf = (value: PDFObject | undefined) => (value instanceof PDFNumber ? value.asNumber() : 0);
/** Of a text as written; longer ones are no names, patterns or options, and more than `decodeText` can take. */
export const maxTextBytes = 50_000;
const textOf = (value: PDFObject | undefined) =>
  (value instanceof PDFString || value instanceof PDFHexString) && value.sizeInBytes() <= maxTextBytes
    ? value.decodeText().normalize("NFC")
    : "";

function boxOf(value: PDFObject | undefined, look: Resolve): Widget["box"] | undefined {
  if (!(value instanceof PDFArray)) return undefined;
  const [a, b, c, d] = [0, 1, 2, 3].map((n) => numberOf(look(value.get(n)))) as Widget["box"];
  const box: Widget["box"] = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] - box[0] >= 1 && box[3] - box[1] >= 1 && box.every(Number.isFinite) ? box : undefined;
}

/** The size and colour of a default appearance (12.7.4.3). */
function lookOf(whole: string): Pick<Widget, "size" | "colour"> {
  const appearance = whole.slice(0, 1000);
  const number = String.raw`-?(?:\d+(?:\.\d*)?|\.\d+)`;
  const size = Number(new RegExp(`(${number})\\s+Tf\\b`).exec(appearance)?.[1] ?? 0);
  const colours = [`(?:${number}\\s+){4}k`, `(?:${number}\\s+){3}rg`, `(?:${number}\\s+)g`];
  const colour = colours.map((form) => new RegExp(`${form}\\b`).exec(appearance)?.[0]).find(Boolean);
  return { size: size > 0 && size < 300 ? size : 0, colour: colour ?? "0 g" };
}

/** The displayed text of each option. */
function optionsOf(value: PDFObject | undefined, look: Resolve): string[] {
  if (!(value instanceof PDFArray)) return [];
  return value
    .asArray()
    .slice(0, templateLimits.options)
    .map((entry) => {
      const option = look(entry);
      return textOf(option instanceof PDFArray ? look(option.get(1)) : option);
    });
}

/** The state of a button that is not Off. */
function stateOf(annotation: PDFDict, look: Resolve): string {
  const appearances = look(annotation.get(name("AP")));
  const normal = appearances instanceof PDFDict ? look(appearances.get(name("N"))) : undefined;
  if (!(normal instanceof PDFDict) || normal instanceof PDFRawStream) return "Yes";
  const on = normal.keys().find((key) => key !== name("Off"));
  return on?.decodeText() ?? "Yes";
}

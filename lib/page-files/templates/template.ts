import { open, readFile, rm } from "node:fs/promises";
import { PDFDict, PDFDocument, PDFHexString, PDFName, type PDFObject, PDFString } from "@cantoo/pdf-lib";
import { addBookmarks, type Bookmark, bookmarksOf } from "../beside/bookmarks.ts";
import { copyPages } from "../pdf/clean.ts";
import { UsedLetters } from "../fonts/used-letters.ts";
import { PdfFile } from "../pdf/pdf-file.ts";
import { PdfReader } from "../pdf/pdf-reader.ts";
import { withPdf } from "../pdf/pdf.ts";
import { copyByPdfium } from "../pdf/pdfium-copy.ts";
import type { Rejection } from "../file-types.ts";
import {
  columnsOf,
  type FieldKind,
  hasXfa,
  maxTextBytes,
  readWidget,
  templateLimits,
  type Widget,
} from "./template-fields.ts";
import { drawWidget } from "./template-drawing.ts";
import { findTypedColumns, type TypedColumns, replaceContents } from "./typed-columns.ts";
import { drawTyped } from "./typed-drawing.ts";

/** PDFs whose form fields, and columns that are typed in their text, are filled from rows of a table. */

/** A column that a template is filled with. */
export type TemplateColumn = {
  name: string;
  kind: FieldKind;
  /** The first page that shows it, from 1. */
  page: number;
  /** Allowed values; empty for any text. */
  options: string[];
};

/** `width` and `height` are the first page's in points. */
export type ReadTemplate = {
  pages: number;
  columns: TemplateColumn[];
  notes: string[];
  width: number;
  height: number;
};

/** Why a value can't be put into a template: `problem` is a sentence. */
export type FillProblem = { column: string; problem: string };

/** One row: its values by column, and where the filled PDF goes. */
export type FillRow = { values: Record<string, string>; to: string };

type OpenTemplate = { source: PdfReader; bytes: Buffer; pages: number; widgets: Widget[]; typed: TypedColumns };

/** The columns of a template, or why the file can't be one. `scratch` is a temporary file. */
export async function readTemplateFile(
  path: string,
  scratch: string,
): Promise<Pick<ReadTemplate, "pages" | "columns"> | Rejection> {
  const template = await openTemplate(path, scratch);
  if ("refused" in template) return template;
  const placeholder = await findPlaceholder(template, scratch);
  if (placeholder) return { refused: leftWords(placeholder) };
  const columns = new Map<string, TemplateColumn>();
  for (const { kind, page, options, pattern, state } of template.widgets) {
    for (const name of columnsOf(pattern)) {
      const column = columns.get(name);
      if (column && column.kind !== kind) return { refused: `has fields of two kinds for the column “${name}”` };
      if (column && kind === "radio buttons" && state) column.options.push(state);
      else if (!column) columns.set(name, { name, kind, page: page + 1, options: firstOptions(kind, options, state) });
    }
  }
  for (const { column: name, page } of template.typed.columns) {
    const column = columns.get(name);
    if (column && column.kind !== "text") return { refused: `has fields of two kinds for the column “${name}”` };
    columns.set(name, { name, kind: "text", options: [], page: Math.min(column?.page ?? Infinity, page + 1) });
  }
  const options = [...columns.values()].flatMap((column) => column.options);
  if (options.join("").length > templateLimits.optionsLength) {
    return { refused: `has choices of more than ${templateLimits.optionsLength.toLocaleString("en-GB")} characters` };
  }
  return { pages: template.pages, columns: [...columns.values()] };
}

type Left = { text: string; page: number };

const leftWords = ({ text, page }: Left) =>
  `has ${text} on page ${page} in a way that can’t be taken out, as in a drawing or on two lines: put a form field there instead`;

/** A column that another reader still finds in the text of a page once the typed columns are taken out. */
async function findPlaceholder(template: OpenTemplate, scratch: string): Promise<Left | undefined> {
  try {
    await write(await emptyCopy(template), scratch);
    return await withPdf(scratch, async (document) => {
      for (let n = 0; n < document.getPageCount(); n++) {
        const [text] = document.getPage(n).getText().match(looseColumn) ?? [];
        if (text) return { text: text.replace(/\s+/g, " "), page: n + 1 };
      }
      return undefined;
    });
  } finally {
    await rm(scratch, { force: true });
  }
}

/** Also with spaces between braces, as letters that are far from each other seem to have. */
const looseColumn = /\{\s?\{\s*[^{}\s][^{}]{0,200}\}\s?\}/;

const firstOptions = (kind: FieldKind, options: string[] | undefined, state: string | undefined) =>
  kind === "radio buttons" && state ? [state] : (options ?? []);

/**
 * Writes a PDF for each row, without form fields. A row with problems gets no file. The template is read once.
 */
export async function fillTemplateFile(path: string, rows: FillRow[]): Promise<FillProblem[][]> {
  const template = await openTemplate(path, `${rows[0]?.to ?? path}.read`);
  if ("refused" in template) throw new Error(`A template ${template.refused}`);
  const placeholder = template.typed.columns.length > 0 && (await findPlaceholder(template, `${path}.left`));
  if (placeholder) throw new Error(`A template ${leftWords(placeholder)}`);
  const problems: FillProblem[][] = [];
  for (const row of rows) problems.push(await fillRow(template, row));
  return problems;
}

async function openTemplate(path: string, scratch: string): Promise<OpenTemplate | Rejection> {
  try {
    const pages = await copyByPdfium(path, scratch);
    const bytes = await readFile(scratch);
    if (pages > templateLimits.pages) return { refused: `has more than ${templateLimits.pages} pages` };
    const source = new PdfReader(bytes);
    if (hasXfa(source)) return { refused: "has an XFA form: save it with plain form fields (AcroForm)" };
    const widgets: Widget[] = [];
    const refusals: string[] = [];
    const copy = await copyOf({ bytes, pages }, (value, page) => {
      const annotation = source.look(value);
      const result = annotation instanceof PDFDict ? readWidget(source, annotation, page) : undefined;
      if (annotation instanceof PDFDict && hasTypedNote(source, annotation)) refusals.push(typedNote);
      if (result && "refused" in result) refusals.push(result.refused);
      if (result && "widget" in result) widgets.push(result.widget);
      return result === undefined;
    });
    if (refusals[0]) return { refused: refusals[0] };
    const typed = findTypedColumns(copy);
    if (typed.isOver || widgets.length + typed.columns.length > templateLimits.fields)
      return { refused: `has more than ${templateLimits.fields} form fields and typed columns` };
    return { source, bytes, pages, widgets: widgets.map((widget) => withChoices(widget, widgets)), typed };
  } finally {
    await rm(scratch, { force: true });
  }
}

/** A radio button with the states of all buttons of its field. */
function withChoices(widget: Widget, widgets: Widget[]): Widget {
  if (widget.kind !== "radio buttons") return widget;
  const group = widgets.filter(({ kind, field }) => kind === widget.kind && field === widget.field);
  return { ...widget, options: [...new Set(group.flatMap(({ state }) => state ?? []))] };
}

/** The template's pages without its fields and typed columns, as a new document. */
async function emptyCopy(template: OpenTemplate) {
  const { source, typed } = template;
  const target = await copyOf(template, (value) => {
    const annotation = source.look(value);
    return !(annotation instanceof PDFDict && isWidget(source, annotation));
  });
  replaceContents(target, typed.emptied);
  return target;
}

const isOf = (subtype: string) => (source: PdfReader, annotation: PDFDict) =>
  source.look(annotation.get(PDFName.of("Subtype"))) === PDFName.of(subtype);
const isWidget = isOf("Widget");
const isNote = isOf("FreeText");

const typedNote = "has a column in a note: put a form field there instead";

/** A note that is a text on the page stays as it is. */
function hasTypedNote(source: PdfReader, annotation: PDFDict) {
  const text = source.look(annotation.get(PDFName.of("Contents")));
  const isText = (text instanceof PDFString || text instanceof PDFHexString) && text.sizeInBytes() <= maxTextBytes;
  return isNote(source, annotation) && isText && looseColumn.test(text.decodeText());
}

/** The template's pages with the annotations that `keeps` says, and its bookmarks, as a new document. */
async function copyOf(
  { bytes, pages }: Pick<OpenTemplate, "bytes" | "pages">,
  keeps: (annotation: PDFObject, page: number) => boolean,
) {
  const target = await PDFDocument.create({ updateMetadata: false });
  let bookmarks: Bookmark[] = [];
  const copies = await copyPages(bytes, pages, target, {
    keeps,
    async beside({ source, copier, destinations }) {
      bookmarks = bookmarksOf(source, copier, destinations);
      copier.finish();
    },
  });
  for (const page of copies) if (page) target.addPage(page);
  addBookmarks(target, bookmarks);
  return target;
}

const isSame = (one: FillProblem, other: FillProblem) => one.column === other.column && one.problem === other.problem;

async function fillRow(template: OpenTemplate, { values, to }: FillRow): Promise<FillProblem[]> {
  const target = await emptyCopy(template);
  const letters = new UsedLetters(freeFontName(target));
  const font = target.context.nextRef();
  const drawn = [
    ...template.widgets.map((widget) => ({ page: widget.page, ...drawWidget(widget, values, letters) })),
    ...template.typed.columns.map((typed) => ({ page: typed.page, ...drawTyped(typed, values, letters) })),
  ];
  const problems = drawn.flatMap((one) => {
    if ("problem" in one) return [{ column: one.column, problem: one.problem }];
    const page = target.getPage(one.page);
    page.node.setFontDictionary(PDFName.of(letters.name), font);
    if (one.operators.length > 0) page.pushOperators(...one.operators);
    return [];
  });
  // Each of a group's radio buttons has the same.
  const different = problems.filter((one, n) => problems.findIndex((other) => isSame(one, other)) === n);
  if (different.length > 0) return different;
  letters.embed(target, font);
  await write(target, to);
  return [];
}

/** A filled PDF can be a template again, whose pages have such a font already. */
function freeFontName(document: PDFDocument) {
  const fonts = document.getPages().map(({ node }) => node.normalizedEntries().Font);
  for (let n = 1; ; n++) {
    const name = n === 1 ? "SealdeskForm" : `SealdeskForm${n}`;
    if (!fonts.some((font) => font.has(PDFName.of(name)))) return name;
  }
}

async function write(document: PDFDocument, to: string) {
  const file = await open(to, "w");
  try {
    const pdf = await PdfFile.begin(document, file);
    await pdf.writeStreams();
    await pdf.end({});
  } finally {
    await file.close();
  }
}

import { open, readFile, rm } from "node:fs/promises";
import { PDFDict, PDFDocument, PDFName, type PDFObject, PDFPage } from "@cantoo/pdf-lib";
import { copyPages } from "./clean.ts";
import { UsedLetters } from "./form-font.ts";
import { PdfFile } from "./pdf-file.ts";
import { PdfReader } from "./pdf-reader.ts";
import { withPdf } from "./pdf.ts";
import { copyByPdfium } from "./pdfium-copy.ts";
import type { Rejection } from "./kinds.ts";
import {
  columnPattern,
  columnsOf,
  type FieldKind,
  hasXfa,
  readWidget,
  templateLimits,
  type Widget,
} from "./template-fields.ts";
import { drawWidget } from "./template-drawing.ts";

/** PDFs whose form fields are filled from rows of a table, and then are fields no longer. */

/** A column that a template is filled with. */
export type TemplateColumn = {
  name: string;
  kind: FieldKind;
  /** The first page that shows it, from 1. */
  page: number;
  /** What it may be; empty for any text. */
  options: string[];
};

export type ReadTemplate = { pages: number; columns: TemplateColumn[] };

/** Why a value can't be put into a template: `problem` is a sentence. */
export type FillProblem = { column: string; problem: string };

/** One row: its values by column, and where the filled PDF goes. */
export type FillRow = { values: Record<string, string>; to: string };

type OpenTemplate = { source: PdfReader; bytes: Buffer; pages: number; widgets: Widget[] };

/** The columns of a template, or why the file can't be one. `scratch` is a temporary file. */
export async function readTemplateFile(path: string, scratch: string): Promise<ReadTemplate | Rejection> {
  const template = await openTemplate(path, scratch);
  if ("refused" in template) return template;
  const typed = await findTypedColumn(path);
  if (typed)
    return { refused: `has ${typed.text} as plain text of page ${typed.page}: put a form field there instead` };
  const columns = new Map<string, TemplateColumn>();
  for (const { kind, page, options, pattern, state } of template.widgets) {
    for (const name of columnsOf(pattern)) {
      const known = columns.get(name);
      if (known && known.kind !== kind) return { refused: `has fields of two kinds for the column “${name}”` };
      if (known && kind === "radio buttons" && state) known.options.push(state);
      else if (!known) columns.set(name, { name, kind, page: page + 1, options: firstOptions(kind, options, state) });
    }
  }
  return { pages: template.pages, columns: [...columns.values()] };
}

/** A column in the text of a page, which could be covered but not taken out. */
const findTypedColumn = (path: string) =>
  withPdf(path, async (document) => {
    for (let n = 0; n < document.getPageCount(); n++) {
      const [text] = document.getPage(n).getText().match(columnPattern) ?? [];
      if (text) return { text, page: n + 1 };
    }
    return undefined;
  });

const firstOptions = (kind: FieldKind, options: string[] | undefined, state: string | undefined) =>
  kind === "radio buttons" && state ? [state] : (options ?? []);

/**
 * Writes a PDF for each row, without form fields. A row with problems gets no file. The template is read once.
 */
export async function fillTemplateFile(path: string, rows: FillRow[]): Promise<FillProblem[][]> {
  const template = await openTemplate(path, `${rows[0]?.to ?? path}.read`);
  if ("refused" in template) throw new Error(`A template ${template.refused}`);
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
    await emptyCopy({ bytes, pages }, (value, page) => {
      const annotation = source.look(value);
      const read = annotation instanceof PDFDict ? readWidget(source, annotation, page) : undefined;
      if (read && "refused" in read) refusals.push(read.refused);
      if (read && "widget" in read) widgets.push(read.widget);
      return read === undefined;
    });
    if (refusals[0]) return { refused: refusals[0] };
    if (widgets.length > templateLimits.fields)
      return { refused: `has more than ${templateLimits.fields} form fields` };
    return { source, bytes, pages, widgets };
  } finally {
    await rm(scratch, { force: true });
  }
}

/** The template's pages without its fields, as a new document. */
async function emptyCopy(
  { bytes, pages }: Pick<OpenTemplate, "bytes" | "pages">,
  keeps: (annotation: PDFObject, page: number) => boolean,
) {
  const target = await PDFDocument.create({ updateMetadata: false });
  const copies = copyPages(bytes, pages, target, keeps);
  for (const page of copies) target.addPage(PDFPage.of(page, target.context.register(page), target));
  return target;
}

async function fillRow(template: OpenTemplate, { values, to }: FillRow): Promise<FillProblem[]> {
  const { source } = template;
  const target = await emptyCopy(template, (value) => {
    const annotation = source.look(value);
    return !(
      annotation instanceof PDFDict && source.look(annotation.get(PDFName.of("Subtype"))) === PDFName.of("Widget")
    );
  });
  const letters = new UsedLetters();
  const font = target.context.nextRef();
  const problems = template.widgets.flatMap((widget) => {
    const drawn = drawWidget(widget, values, letters);
    if ("problem" in drawn) return [{ column: drawn.column, problem: drawn.problem }];
    const page = target.getPage(widget.page);
    page.node.setFontDictionary(PDFName.of("SealdeskForm"), font);
    if (drawn.operators.length > 0) page.pushOperators(...drawn.operators);
    return [];
  });
  if (problems.length > 0) return problems;
  letters.embed(target, font);
  const file = await open(to, "w");
  try {
    const pdf = await PdfFile.begin(target, file);
    await pdf.writeStreams();
    await pdf.end({});
  } finally {
    await file.close();
  }
  return [];
}

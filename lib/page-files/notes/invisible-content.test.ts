import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFArray, type PDFContext, PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invoice, pdfOf } from "#tests/fixtures/altered-pdfs.ts";
import { stampPlainly } from "#tests/fixtures/plain-stamp.ts";
import { comparePdfs } from "../compare/compare.ts";

let directory: string;
let sealed: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-undrawn-"));
  const source = join(directory, "source.pdf");
  await writeFile(source, await pdfOf(invoice(1)));
  sealed = join(directory, "sealed.pdf");
  const placing = { place: "bottom-left", pages: "first", millimetres: 20 } as const;
  const code = "4C7H-29KD-3P17-2XQ0-8";
  await stampPlainly(source, sealed, { url: "https://sealdesk.example/v/4C7H29KD3P172XQ08", code, placing });
});

afterAll(() => rm(directory, { recursive: true }));

type Change = (context: PDFContext, page: PDFPage, pdf: PDFDocument) => void;

/** Compares the sealed PDF, changed and saved again, with itself. */
async function compareChanged(change: Change) {
  const pdf = await PDFDocument.load(await readFile(sealed));
  change(pdf.context, pdf.getPage(0), pdf);
  const path = join(directory, "changed.pdf");
  await writeFile(path, await pdf.save());
  const { more, changes } = await comparePdfs({ path, sealed, pictures: 0 });
  return { hasMore: more.length > 0, looksChanged: changes.length > 0 };
}

const place = [20, 20, 200, 40];

type Fields = Exclude<NonNullable<Parameters<PDFContext["stream"]>[1]>, unknown[]>;

const annotate = (context: PDFContext, page: PDFPage, fields: Fields) => {
  const annotation = context.register(context.obj({ Type: "Annot", Rect: place, F: 4, ...fields }));
  const all = page.node.lookup(PDFName.of("Annots"));
  if (all instanceof PDFArray) all.push(annotation);
  else page.node.set(PDFName.of("Annots"), context.obj([annotation]));
};

const covering = (context: PDFContext) =>
  context.register(context.stream("1 g 0 0 200 40 re f", { Type: "XObject", Subtype: "Form", BBox: [0, 0, 200, 40] }));

const additions: Record<string, Change> = {
  "a note that readers draw themselves": (context, page) =>
    annotate(context, page, { Subtype: "FreeText", DA: PDFName.of("x"), C: [1, 1, 1] }),
  "a line that readers draw themselves": (context, page) =>
    annotate(context, page, { Subtype: "Line", L: place, C: [0, 0, 0] }),
  "a note that shows on paper alone": (context, page) =>
    annotate(context, page, { Subtype: "Stamp", F: 36, AP: { N: covering(context) } }),
  "a link with a border": (context, page) => annotate(context, page, { Subtype: "Link", C: [1], Border: [0, 0, 30] }),
  "a form field on paper alone": (context, page) =>
    annotate(context, page, { Subtype: "Widget", FT: "Tx", F: 36, AP: { N: covering(context) } }),
  "a layer that shows on paper alone": (context, _, { catalog }) => {
    const layer = context.register(
      context.obj({ Type: "OCG", Usage: { Print: { PrintState: "ON" }, View: { ViewState: "OFF" } } }),
    );
    catalog.set(PDFName.of("OCProperties"), context.obj({ OCGs: [layer], D: { OFF: [layer] } }));
  },
  "an XFA form": (context, _, { catalog }) => {
    catalog.set(PDFName.of("AcroForm"), context.obj({ Fields: [], XFA: context.register(context.stream("<xdp/>")) }));
  },
  "a script": (context, _, { catalog }) =>
    catalog.set(PDFName.of("OpenAction"), context.obj({ S: "JavaScript", JS: PDFName.of("x") })),
  "another unit of length": (_, page) => page.node.set(PDFName.of("UserUnit"), page.doc.context.obj(2)),
};

test.each(Object.entries(additions))("%s is noticed, though the pages look the same here", async (_, add) => {
  const { hasMore } = await compareChanged(add);
  expect(hasMore).toBe(true);
});

test("ignores a link within the file, a pop-up note and a place to open at", async () => {
  const harmless: Change = (context, page, { catalog }) => {
    annotate(context, page, { Subtype: "Link", A: { S: "GoTo", D: [page.ref, "Fit"] } });
    annotate(context, page, { Subtype: "Popup" });
    catalog.set(PDFName.of("OpenAction"), context.obj([page.ref, "Fit"]));
  };
  expect(await compareChanged(harmless)).toEqual({ hasMore: false, looksChanged: false });
});

test("what the document has itself is not more", async () => {
  const original = sealed;
  const withNote = join(directory, "with-note.pdf");
  const pdf = await PDFDocument.load(await readFile(sealed));
  additions["a line that readers draw themselves"]!(pdf.context, pdf.getPage(0), pdf);
  await writeFile(withNote, await pdf.save());
  try {
    sealed = withNote;
    expect((await compareChanged(() => {})).hasMore).toBe(false);
    expect((await compareChanged(additions["a line that readers draw themselves"]!)).hasMore).toBe(true);
  } finally {
    sealed = original;
  }
});

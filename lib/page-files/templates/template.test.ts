import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDict, PDFDocument, PDFName, PDFString, StandardFonts } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillTemplateFile, readTemplateFile } from "./template.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "template-"));
});
afterAll(() => rm(folder, { recursive: true }));

const textOf = (path: string) => execFileSync("pdftotext", ["-layout", path, "-"]).toString().trim();

async function template(change?: (document: PDFDocument) => unknown) {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 300]);
  page.drawText("Certificate", { x: 40, y: 260, font: await document.embedFont(StandardFonts.Helvetica) });
  const form = document.getForm();
  form.createTextField("name").addToPage(page, { x: 40, y: 200, width: 200, height: 24 });
  const greeting = form.createTextField("greeting");
  greeting.setText("Dear {{name}} of {{town}}");
  greeting.addToPage(page, { x: 40, y: 160, width: 300, height: 24 });
  form.createCheckBox("passed").addToPage(page, { x: 40, y: 120, width: 16, height: 16 });
  const grade = form.createDropdown("grade");
  grade.addOptions(["good", "very good"]);
  grade.addToPage(page, { x: 40, y: 80, width: 120, height: 24 });
  await change?.(document);
  const path = join(folder, `${crypto.randomUUID()}.pdf`);
  await writeFile(path, await document.save({ updateFieldAppearances: false }));
  return path;
}

const read = (path: string) => readTemplateFile(path, join(folder, "scratch"));

async function fill(path: string, values: Record<string, string>) {
  const to = join(folder, `${crypto.randomUUID()}.pdf`);
  const [problems] = await fillTemplateFile(path, [{ values, to }]);
  return { to, problems: problems! };
}

test("A template's columns are the names of its fields, and those in braces in their values", async () => {
  expect(await read(await template())).toEqual({
    pages: 1,
    columns: [
      { name: "name", kind: "text", page: 1, options: [] },
      { name: "town", kind: "text", page: 1, options: [] },
      { name: "passed", kind: "check box", page: 1, options: [] },
      { name: "grade", kind: "choice", page: 1, options: ["good", "very good"] },
    ],
  });
});

test("Filled text reads back in Latin, Greek and Cyrillic, and no field is left", async () => {
  const values = { name: "Zażółć Ñandú Łódź", town: "Αθήνα Київ", passed: "yes", grade: "very good" };
  const { to, problems } = await fill(await template(), values);
  expect(problems).toEqual([]);
  const text = textOf(to);
  for (const part of ["Certificate", values.name, `Dear ${values.name} of ${values.town}`, "very good"]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain("{{");
  const bytes = (await readFile(to)).toString("latin1");
  expect(bytes).not.toMatch(/AcroForm|Widget|JavaScript/);
  expect(execFileSync("pdffonts", [to]).toString()).toMatch(/FormSans\s+CID TrueType\s+Identity-H\s+yes yes yes/);
  expect(execFileSync("qpdf", ["--check", to]).toString()).toContain("No syntax or stream encoding errors");
});

test("The same values make the same file", async () => {
  const path = await template();
  const [first, second] = [await fill(path, { name: "Ada" }), await fill(path, { name: "Ada" })];
  expect(await readFile(first.to)).toEqual(await readFile(second.to));
});

test.each([
  ["a character without a glyph", { name: "漢" }, "name", "has a character that can’t be printed: 漢 (U+6F22)"],
  ["a long text", { name: "long ".repeat(40) }, "name", "is too long for field “name”"],
  ["a choice that is none", { grade: "bad" }, "grade", "is none of the choices: good, very good"],
  ["a check box that is neither", { passed: "perhaps" }, "passed", "is for a check box: use yes or no"],
])("%s is a problem of its column", async (_, values, column, problem) => {
  const { problems } = await fill(await template(), values as Record<string, string>);
  expect(problems).toContainEqual({ column, problem });
});

test("A text that is a little too long is printed smaller", async () => {
  const { problems, to } = await fill(await template(), { name: "A name that is longer than its field at 12 pt" });
  expect(problems).toEqual([]);
  expect(textOf(to)).toContain("A name that is longer than its field at 12 pt");
});

test("Braces and operators in a value are text", async () => {
  const name = "{{town}} (1) \\) Tj $& $1";
  const { to } = await fill(await template(), { name, town: "Bath" });
  expect(textOf(to)).toContain(name);
});

test("The filled PDF lacks the template's scripts", async () => {
  const path = await template((document) => document.addJavaScript("main", "app.alert(1)"));
  const { to } = await fill(path, { name: "Ada" });
  expect((await readFile(to)).toString("latin1")).not.toContain("JavaScript");
});

test("The filled PDF has the template's bookmarks", async () => {
  const path = await template((document) => {
    const { context, catalog } = document;
    const place = [document.getPage(0).ref, "Fit"];
    const item = context.register(context.obj({ Title: PDFString.of("Terms"), Dest: place }));
    catalog.set(PDFName.of("Outlines"), context.obj({ First: item, Last: item }));
  });
  const { to } = await fill(path, { name: "Ada" });
  const { outlines } = JSON.parse(execFileSync("qpdf", ["--json=1", to]).toString()) as { outlines: unknown };
  expect(outlines).toMatchObject([{ title: "Terms", destpageposfrom1: 1 }]);
});

test("A form by XFA is refused", async () => {
  const path = await template(({ catalog, context }) => {
    catalog.lookup(PDFName.of("AcroForm"), PDFDict).set(PDFName.of("XFA"), context.obj([]));
  });
  expect(await read(path)).toEqual({ refused: "has an XFA form: save it with plain form fields (AcroForm)" });
});

test("A field for a signature is refused", async () => {
  const path = await template((document) => {
    const { context } = document;
    const place = {
      Type: "Annot",
      Subtype: "Widget",
      FT: "Sig",
      T: PDFString.of("signed"),
      Rect: [9, 9, 90, 30],
      F: 4,
    };
    document.getPage(0).node.addAnnot(context.register(context.obj(place)));
  });
  expect(await read(path)).toEqual({ refused: "has a signature field: remove it and add the file again" });
});

test("Any text is filled, or is a problem of its column", async () => {
  const path = await template();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 30 }), async (name) => {
      const { problems, to } = await fill(path, { name });
      if (problems.length === 0) await readFile(to);
      else expect(problems.every(({ column }) => column === "name")).toBe(true);
    }),
    { numRuns: 100 },
  );
});

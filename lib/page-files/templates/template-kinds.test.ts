import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { degrees, PDFArray, type PDFDocument, PDFName, PDFNumber, PDFString } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placedWords } from "#tests/fixtures/pdf-programs.ts";
import { templateFile } from "#tests/fixtures/templates.ts";
import { fillTemplateFile, readTemplateFile } from "./template.ts";

/** Kinds of form fields, and pages that hide something. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "template-kinds-"));
});
afterAll(() => rm(folder, { recursive: true }));

const named = (name: string) => join(folder, `${crypto.randomUUID()}-${name}.pdf`);

async function template(change: (document: PDFDocument) => unknown) {
  const path = named("template");
  await writeFile(path, await templateFile(change));
  return path;
}

const read = (path: string) => readTemplateFile(path, named("scratch"));

async function fill(path: string, values: Record<string, string>) {
  const to = named("filled");
  const [problems] = await fillTemplateFile(path, [{ values, to }]);
  return { to, problems: problems! };
}

const placesOf = async (path: string, text: string) => (await placedWords(path)).filter((word) => word.text === text);

test("One of several radio buttons is filled, by its name", async () => {
  const path = await template((document) => {
    const group = document.getForm().createRadioGroup("language");
    for (const [n, option] of ["English", "Polish"].entries()) {
      group.addOptionToPage(option, document.getPage(0), { x: 40, y: 200 - n * 40, width: 16, height: 16 });
    }
  });
  const readTemplate = await read(path);
  if ("refused" in readTemplate) throw new Error(readTemplate.refused);
  const [{ kind, options }] = readTemplate.columns as [(typeof readTemplate.columns)[number]];
  expect([kind, options]).toEqual(["radio buttons", expect.any(Array)]);
  expect(options).toHaveLength(2);
  const [first, second, none] = await Promise.all(
    [options[0]!, options[1]!, ""].map((language) => fill(path, { language })),
  );
  expect([first!, second!, none!].map(({ problems }) => problems)).toEqual([[], [], []]);
  const [one, other, empty] = await Promise.all([first!, second!, none!].map(({ to }) => readFile(to)));
  expect(one!.equals(other!)).toBe(false);
  expect(one!.equals(empty!)).toBe(false);
  expect((await fill(path, { language: "Latin" })).problems).toEqual([
    { column: "language", problem: `is none of the choices: ${options.join(", ")}` },
  ]);
});

test("A turned field is filled upwards", async () => {
  const path = await template((document) => {
    const field = document.getForm().createTextField("name");
    field.addToPage(document.getPage(0), { x: 100, y: 60, width: 160, height: 24, rotate: degrees(90) });
  });
  const { to, problems } = await fill(path, { name: "Wilhelmina" });
  expect(problems).toEqual([]);
  const { left: leftover, top, right, bottom } = (await placesOf(to, "Wilhelmina"))[0]!;
  expect(bottom - top).toBeGreaterThan(2 * (right - leftover));
});

test("Several lines stay below each other, and too many are a problem", async () => {
  const path = await template((document) => {
    const field = document.getForm().createTextField("address");
    field.enableMultiline();
    field.addToPage(document.getPage(0), { x: 40, y: 100, width: 200, height: 80 });
    field.setFontSize(12);
  });
  const { to, problems } = await fill(path, { address: "Street\nTown\r\nCountry" });
  expect(problems).toEqual([]);
  const words = await placedWords(to);
  const tops = ["Street", "Town", "Country"].map((word) => words.find(({ text }) => text === word)!.top);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(new Set(tops).size).toBe(3);
  const many = await fill(path, { address: "line\n".repeat(80) });
  expect(many.problems).toEqual([{ column: "address", problem: "is too long for field “address”" }]);
});

test("Fields of one column on several places show it on each", async () => {
  const path = await template((document) => {
    const field = document.getForm().createTextField("name");
    for (const y of [200, 150, 100]) field.addToPage(document.getPage(0), { x: 40, y, width: 200, height: 24 });
  });
  expect(await read(path)).toMatchObject({ columns: [{ name: "name" }] });
  const { to } = await fill(path, { name: "Ada" });
  expect(await placesOf(to, "Ada")).toHaveLength(3);
});

test("A hidden field is no column, and the filled PDF lacks its value", async () => {
  const path = await template((document) => {
    const [form, page] = [document.getForm(), document.getPage(0)];
    form.createTextField("name").addToPage(page, { x: 40, y: 200, width: 200, height: 24 });
    const secret = form.createTextField("secret");
    secret.setText("a hidden remark");
    secret.addToPage(page, { x: 40, y: 100, width: 200, height: 24, hidden: true });
  });
  expect(await read(path)).toMatchObject({ columns: [{ name: "name" }] });
  const { to } = await fill(path, { name: "Ada" });
  expect((await readFile(to)).toString("latin1")).not.toContain("a hidden remark");
  expect(execFileSync("pdftotext", [to, "-"]).toString()).not.toContain("hidden");
});

test("The filled PDF does not show hidden layers", async () => {
  const path = await template((document) => {
    const { context, catalog } = document;
    const page = document.getPage(0);
    document.getForm().createTextField("name").addToPage(page, { x: 40, y: 200, width: 200, height: 24 });
    const layer = context.register(context.obj({ Type: "OCG", Name: PDFString.of("Hidden") }));
    const settings = { OCGs: [layer], D: { OFF: [layer] } };
    catalog.set(PDFName.of("OCProperties"), context.obj(settings));
    const properties = context.obj({ Hidden: layer });
    page.node.normalizedEntries().Resources.set(PDFName.of("Properties"), properties);
    const drawn = context.register(context.stream("/OC /Hidden BDC 0 0 0 rg 0 0 400 100 re f EMC"));
    (page.node.lookup(PDFName.of("Contents"), PDFArray) as PDFArray).push(drawn);
  });
  const { to } = await fill(path, { name: "" });
  // A third of the page would be black.
  execFileSync("pdftoppm", ["-r", "10", "-gray", "-singlefile", to, to]);
  const pixels = (await readFile(`${to}.pgm`)).subarray(-100);
  expect(pixels.every((pixel) => pixel > 200)).toBe(true);
});

test("A column that is text here and a check box there is refused", async () => {
  const path = await template((document) => {
    const [form, page] = [document.getForm(), document.getPage(0)];
    const text = form.createTextField("remark");
    text.setText("{{passed}}");
    text.addToPage(page, { x: 40, y: 200, width: 200, height: 24 });
    form.createCheckBox("passed").addToPage(page, { x: 40, y: 120, width: 16, height: 16 });
  });
  expect(await read(path)).toEqual({ refused: "has fields of two kinds for the column “passed”" });
});

test("Long choices are shortened in messages about a wrong value, and too much text of choices is refused", async () => {
  const withChoices = (choices: string[]) =>
    template((document) => {
      const choice = document.getForm().createDropdown("grade");
      choice.addOptions(choices);
      choice.addToPage(document.getPage(0), { x: 40, y: 200, width: 200, height: 24 });
    });
  const long = await withChoices(["a".repeat(2000), "b"]);
  expect((await fill(long, { grade: "c" })).problems).toEqual([
    { column: "grade", problem: `is none of the choices: ${"a".repeat(50)}…, b` },
  ]);
  expect(await read(await withChoices(Array.from({ length: 30 }, (_, n) => `${n}`.padEnd(2000, "x"))))).toEqual({
    refused: expect.stringContaining("choices of more than 50,000"),
  });
});

test("A most length that is none is none", async () => {
  const path = await template((document) => {
    const field = document.getForm().createTextField("name");
    field.acroField.dict.set(PDFName.of("MaxLen"), PDFNumber.of(-5));
    field.addToPage(document.getPage(0), { x: 40, y: 200, width: 200, height: 24 });
  });
  expect((await fill(path, { name: "Ada" })).problems).toEqual([]);
});

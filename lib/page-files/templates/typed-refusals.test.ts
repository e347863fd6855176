import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { PDFArray, type PDFDocument, PDFName, PDFRawStream, type PDFRef, PDFString } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writtenTemplate } from "#tests/fixtures/templates.ts";
import { fillTemplateFile, readTemplateFile } from "./template.ts";

/** Typed columns that can't be taken out, and pages that mean harm. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typed-refusals-"));
});
afterAll(() => rm(folder, { recursive: true }));

const named = (name: string) => join(folder, `${crypto.randomUUID()}-${name}.pdf`);

async function written(...of: Parameters<typeof writtenTemplate>) {
  const path = named("template");
  await writeFile(path, await writtenTemplate(...of));
  return path;
}

const read = (path: string) => readTemplateFile(path, named("scratch"));
const operators = "BT /F1 12 Tf 40 200 Td ({{name}}) Tj ET";

function addForm(document: PDFDocument) {
  const { context } = document;
  const page = document.getPage(0);
  const Resources = page.node.get(PDFName.of("Resources"))!;
  const dict = context.obj({ Type: "XObject", Subtype: "Form", BBox: [0, 0, 400, 300] });
  dict.set(PDFName.of("Resources"), Resources);
  page.node.setXObject(PDFName.of("Fm"), context.register(PDFRawStream.of(dict, Buffer.from(operators))));
}

function addNote(document: PDFDocument) {
  const { context } = document;
  const note = { Type: "Annot", Subtype: "FreeText", Rect: [9, 9, 90, 30], Contents: PDFString.of("For {{name}}") };
  document.getPage(0).node.addAnnot(context.register(context.obj({ ...note, DA: PDFString.of("/Helv 10 Tf 0 g") })));
}

const refusalFor = (text = "{{name}}") =>
  `has ${text} on page 1 in a way that can’t be taken out, as in a drawing or on two lines: put a form field there instead`;

test.each<[string, string, string, ((document: PDFDocument) => unknown)?]>([
  ["in a drawing that may be used twice", "/Fm Do", refusalFor(), addForm],
  ["on two lines", "BT /F1 12 Tf 14 TL 40 200 Td ({{first) Tj (name}}) ' ET", refusalFor("{{first name}}")],
  ["in text that is not visible", operators.replace("12 Tf", "12 Tf 3 Tr"), refusalFor()],
  ["in mirrored text", `q -1 0 0 1 400 0 cm ${operators} Q`, refusalFor()],
  ["in a note", "", "has a column in a note: put a form field there instead", addNote],
])("A typed column %s is refused", async (_, content, refused, change) => {
  expect(await read(await written(content, change ? { change } : {}))).toEqual({ refused });
});

test("More typed columns than a template may have are refused", async () => {
  const many = Array.from({ length: 201 }, (_, n) => `1 0 0 1 ${(n % 10) * 40} ${10 + n} Tm ({{c${n}}}) Tj`);
  expect(await read(await written(`BT /F1 2 Tf ${many.join(" ")} ET`))).toEqual({
    refused: "has more than 200 form fields and typed columns",
  });
});

test("A column that is typed here and a check box there is refused", async () => {
  const path = await written(operators, {
    change: (document) =>
      document.getForm().createCheckBox("name").addToPage(document.getPage(0), { x: 40, y: 20, width: 16, height: 16 }),
  });
  expect(await read(path)).toEqual({ refused: "has fields of two kinds for the column “name”" });
});

test("A value in a hidden layer is hidden", async () => {
  const path = await written(`/OC /Hidden BDC ${operators} EMC`, {
    change(document) {
      const { context, catalog } = document;
      const layer = context.register(context.obj({ Type: "OCG", Name: PDFString.of("Hidden") }));
      catalog.set(PDFName.of("OCProperties"), context.obj({ OCGs: [layer], D: { OFF: [layer] } }));
      const { Resources } = document.getPage(0).node.normalizedEntries();
      Resources.set(PDFName.of("Properties"), context.obj({ Hidden: layer }));
    },
  });
  expect(await read(path)).toMatchObject({ columns: [{ name: "name" }] });
  const to = named("filled");
  expect(await fillTemplateFile(path, [{ values: { name: "Ada" }, to }])).toEqual([[]]);
  execFileSync("pdftoppm", ["-r", "20", "-gray", "-singlefile", to, to]);
  expect((await readFile(`${to}.pgm`)).subarray(20).every((pixel) => pixel > 250)).toBe(true);
});

/** Content with streams that are shared, or become far larger than they are. */
const bomb = (document: PDFDocument, content: PDFRef) => {
  const { context } = document;
  const dict = context.obj({ Filter: "FlateDecode" });
  const large = context.register(PDFRawStream.of(dict, deflateSync(Buffer.alloc(2_000_000, " "))));
  document.getPage(0).node.set(PDFName.of("Contents"), context.obj([content, ...Array(20).fill(large)]));
};

test("Content that unpacks to forty megabytes is read no further, and a typed column there is refused", async () => {
  expect(await read(await written(operators, { change: bomb }))).toEqual({ refused: refusalFor() });
});

test.each<[string, string, object]>([
  // Other readers end there as well.
  ["arrays in arrays", `${"[".repeat(100_000)} ${operators}`, { pages: 1, columns: [] }],
  ["states in states", `${"q ".repeat(100_000)} ${operators}`, { refused: refusalFor() }],
])("%s are read no further", async (_, content, template) => {
  expect(await read(await written(content))).toEqual(template);
});

const word = fc.constantFrom(
  ..."q Q cm BT ET Tf Td TD Tm T* Tj TJ ' \" Tc Tw Tz TL Ts Tr g rg cs scn gs BDC BMC EMC Do BI ID EI 0 1 -1 12 0.5 1e9 /F1 /OC".split(
    " ",
  ),
  ..."({{a}}) ({{) (b}}) <7b7b61> [({{c)-90(}})] << >> [ ] ( ) %".split(" "),
  "\n",
);

test("Any content is read or refused, and the filled PDF has no typed column", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
      const path = await written(`BT /F1 12 Tf 40 200 Td ${words.join(" ")}`);
      const template = await read(path);
      if ("refused" in template) return;
      const to = named("filled");
      await fillTemplateFile(path, [{ values: {}, to }]);
      const text = execFileSync("pdftotext", [to, "-"], { stdio: ["ignore", "pipe", "ignore"] }).toString();
      expect(text).not.toMatch(/\{\{[^{}]+\}\}/);
    }),
    { numRuns: 100 },
  );
});

test("Two pages of one content are filled both", async () => {
  const path = await written(operators, {
    change(document, content) {
      const copy = document.addPage([400, 300]);
      copy.node.set(PDFName.of("Resources"), document.getPage(0).node.get(PDFName.of("Resources"))!);
      copy.node.set(PDFName.of("Contents"), document.context.obj([content]) as PDFArray);
    },
  });
  const to = named("filled");
  expect(await fillTemplateFile(path, [{ values: { name: "Ada" }, to }])).toEqual([[]]);
  expect(execFileSync("pdftotext", [to, "-"]).toString().match(/\S+/g)).toEqual(["Ada", "Ada"]);
});

test.each([
  ["numbers that are none", "BT /F1 - Tf . . Td --5 0 Td ({{name}}) Tj ET"],
  ["operators without operands", "Tf Td Tm Tj TJ ' \" cm gs BDC Do scn ( ) > >> ] } { /"],
  ["a string that does not end", "BT /F1 12 Tf ({{name}"],
  ["a picture that does not end", "BI /W 1 ID ({{name}}) Tj"],
])("%s are no harm", async (_, content) => {
  expect(await read(await written(content))).toHaveProperty("pages");
});

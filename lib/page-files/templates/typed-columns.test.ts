import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inspectPdf, placedWords, saveAgain, without } from "#tests/fixtures/pdf-programs.ts";
import { writtenTemplate } from "#tests/fixtures/templates.ts";
import { fillTemplateFile, readTemplateFile } from "./template.ts";

/** Columns that are typed in the text of a page. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "typed-columns-"));
});
afterAll(() => rm(folder, { recursive: true }));

const named = (name: string) => join(folder, `${crypto.randomUUID()}-${name}.pdf`);

async function stored(content: Uint8Array) {
  const path = named("template");
  await writeFile(path, content);
  return path;
}

const written = async (...of: Parameters<typeof writtenTemplate>) => stored(await writtenTemplate(...of));

const read = (path: string) => readTemplateFile(path, named("scratch"));

async function columnsOf(path: string) {
  const template = await read(path);
  return "refused" in template ? template : template.columns.map(({ name }) => name);
}

async function fill(path: string, values: Record<string, string>) {
  const to = named("filled");
  const [problems] = await fillTemplateFile(path, [{ values, to }]);
  return { to, problems: problems! };
}

const textOf = (path: string) =>
  execFileSync("pdftotext", ["-layout", path, "-"]).toString().replace(/\s+/g, " ").trim();
const find = async (path: string, text: string) => (await placedWords(path)).find((word) => word.text === text)!;

/** As Chromium’s “Save as PDF” writes it, with parts of a font whose codes are no letters. */
const printed = join(import.meta.dirname, "../../../tests/fixtures/typed-template.pdf");
const printedColumns = ["title", "first name", "town", "spaced", "inside", "name", "turned"];

test.each(["a browser", ...(Object.keys(saveAgain) as (keyof typeof saveAgain)[])])(
  "Columns that were typed in a page are filled where they were, in a file of %s",
  async (program) => {
    if (program !== "a browser" && without(program as keyof typeof saveAgain)) return;
    const path = program === "a browser" ? printed : named("again");
    if (program !== "a browser") await saveAgain[program as keyof typeof saveAgain](printed, path);
    expect(await columnsOf(path)).toEqual(printedColumns);
    const values = Object.fromEntries(printedColumns.map((column) => [column, `Łódź-${column.replace(" ", "-")}`]));
    const { to, problems } = await fill(path, values);
    expect(problems).toEqual([]);
    const text = textOf(to);
    for (const value of Object.values(values)) expect(text).toContain(value);
    expect(text).not.toMatch(/[{}]/);
    expect(await inspectPdf.qpdf(to)).toContain("No syntax or stream encoding errors");
    for (const [column, value] of Object.entries(values)) {
      const [before, after] = [
        await find(path, `{{${column.split(" ")[0]}${column.includes(" ") ? "" : "}}"}`),
        await find(to, value),
      ];
      // The one in the middle of the page stays in its middle, and spaced letters are words of their own.
      if (column === "spaced") continue;
      if (column === "title") expect(after.left + after.right).toBeCloseTo(before.left + before.right, 0);
      else expect(Math.abs(after.left - before.left)).toBeLessThan(3);
      expect(Math.abs(after.bottom - before.bottom)).toBeLessThan(6);
    }
    expect((await find(to, "Afterwards")).left).toBeCloseTo((await find(path, "Afterwards")).left, 1);
  },
);

const text = (operators: string, state = "") => `BT /F1 12 Tf ${state} 40 200 Td ${operators} ET`;
const splits: Record<string, string> = {
  "one string": text("({{name}} after) Tj"),
  kerning: text("[({{na) -40 (me}}) 30 ( after)] TJ"),
  "several operators": text("({) Tj ({na) Tj (me) Tj (}} ) Tj (after) Tj"),
  "hexadecimal digits": text("<7B 7b6e616d657d7d2> Tj <6166746572> Tj"),
  "escapes and octal codes": text("(\\173{na\\155e\\175} after) Tj"),
  "spaces between characters and words": text("({{name}} after) Tj", "0.4 Tc 3 Tw"),
  "a narrowed font": text("({{name}} after) Tj", "80 Tz"),
  "the operator '": text("(before) Tj ({{name}} after) '", "14 TL"),
  'the operator "': text('(before) Tj 1 0.2 ({{name}} after) "', "14 TL"),
  "a font size of 1": "q 12 0 0 12 40 200 cm BT /F1 1 Tf ({{name}} after) Tj ET Q",
  "a page that is upside down": "q 1 0 0 -1 0 300 cm BT /F1 12 Tf 1 0 0 -1 40 100 Tm ({{name}} after) Tj ET Q",
  "a comment and a picture between": `% ({{no}}) Tj
    BI /W 4 /H 4 /BPC 8 /CS /G ID ({{picture}}) Tj EI ${text("({{name}} after) Tj")}`,
  "states that are not closed": `q ${text("({{name}} after) Tj")} /P BMC Q Q Q 2 0 0 2 0 0 cm q`,
};

test.each(Object.entries(splits))("A typed column is found and taken out of %s", async (_, content) => {
  const path = await written(content);
  expect(await columnsOf(path)).toEqual(["name"]);
  const { to, problems } = await fill(path, { name: "Zoë" });
  expect(problems).toEqual([]);
  const [value, before, after] = [await find(to, "Zoë"), await find(path, "after"), await find(to, "after")];
  expect(textOf(to)).toMatch(/Zoë after/);
  expect(textOf(to)).not.toMatch(/[{}]/);
  expect(value.left).toBeCloseTo(40, 0);
  expect([after.left, after.top]).toEqual([before.left, before.top].map((place) => expect.closeTo(place, 1)));
  expect(Math.abs(value.bottom - after.bottom)).toBeLessThan(3);
  expect(await inspectPdf.qpdf(to)).toContain("No syntax or stream encoding errors");
});

test("Letters that are each placed by themselves are one column", async () => {
  const letters = [..."{{name}}"].map((letter, n) => `1 0 0 1 ${40 + n * 7} 200 Tm (${letter}) Tj`);
  const path = await written(`BT /F1 12 Tf ${letters.join(" ")} ET`);
  expect(await columnsOf(path)).toEqual(["name"]);
  expect(textOf((await fill(path, { name: "Zoë" })).to)).toBe("Zoë");
});

test("Fields and typed columns are filled together, and one column may be both", async () => {
  const path = await written(text("(For {{name}} of {{town}}) Tj"), { fields: ["name", "grade"] });
  expect(await read(path)).toMatchObject({
    columns: ["name", "grade", "town"].map((name) => ({ name, kind: "text", page: 1 })),
  });
  const { to } = await fill(path, { name: "Ada", town: "Ely", grade: "good" });
  const words = (await placedWords(to)).map((word) => word.text);
  expect(words.filter((word) => word === "Ada")).toHaveLength(2);
  expect(words).toEqual(expect.arrayContaining(["For", "of", "Ely", "good"]));
});

test("A value that is longer than its place is printed smaller, and then is a problem of its column", async () => {
  const path = await written(text("({{name}}) Tj 60 0 Td (after) Tj"));
  const short = await find((await fill(path, { name: "Ada" })).to, "Ada");
  const longer = await find((await fill(path, { name: "Wilhelmina" })).to, "Wilhelmina");
  expect(longer.bottom - longer.top).toBeLessThan(short.bottom - short.top);
  expect(longer.right).toBeLessThan(100);
  const { problems } = await fill(path, { name: "A name that is far too long" });
  expect(problems).toEqual([{ column: "name", problem: "is too long for {{name}} on page 1" }]);
  expect((await fill(path, { name: "漢" })).problems).toMatchObject([{ column: "name" }]);
});

test("A value without text after it may be as long as its line", async () => {
  const path = await written(text("({{name}}) Tj"));
  expect(await columnsOf(path)).toEqual(["name"]);
  const name = "A name of some fifty letters, as no user here has it";
  expect((await fill(path, { name })).problems).toEqual([]);
});

test("Nothing of a typed column stays in the file", async () => {
  const path = await written(`/Span << /ActualText ({{name}}) >> BDC ${text("({{name}}) Tj")} EMC`);
  const { to } = await fill(path, { name: "Ada" });
  expect(textOf(to)).toBe("Ada");
  execFileSync("qpdf", ["--qdf", "--object-streams=disable", to, `${to}.plain`]);
  const objects = (await readFile(`${to}.plain`)).toString("latin1").split(/^endobj$/m);
  // A font's program has any bytes.
  const withoutFonts = objects.filter((object) => !object.includes("/Subtype /Type1C"));
  expect(withoutFonts.length).toBeLessThan(objects.length);
  expect(withoutFonts.join("")).not.toMatch(/\{\{|7b7b/i);
});

test("A filled file can be a template again, and keeps its texts", async () => {
  const path = await written(text("({{name}}) Tj 0 -40 Td ({{town}}) Tj"));
  const first = await fill(path, { name: "{{title}}", town: "Ely" });
  expect(await columnsOf(first.to)).toEqual(["title"]);
  expect(textOf((await fill(first.to, { title: "Doctor" })).to)).toBe("Doctor Ely");
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stampPlainly } from "#tests/fixtures/plain-stamp.ts";
import { withPdf } from "../pdf/pdf.ts";

let directory: string;
let sealed: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-fonts-"));
  const [source, to] = [join(directory, "source.pdf"), join(directory, "sealed.pdf")];
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]);
  await writeFile(source, await pdf.save());
  const placing = { place: "top-left", pages: "first", millimetres: 35 } as const;
  const url = "https://sealdesk.example/v/4C7H29KD3P172XQ08";
  await stampPlainly(source, to, { url, code: "4C7H-29KD-3P17-2XQ0-8", placing });
  sealed = to;
});

afterAll(() => rm(directory, { recursive: true }));

test("the font of a stamp is in the sealed PDF, so that no program draws it by another", async () => {
  const pdf = await PDFDocument.load(await readFile(sealed));
  const dictionaries = pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFDict ? object : []));
  const fonts = dictionaries.filter((one) => one.get(PDFName.of("Type")) === PDFName.of("Font"));
  expect(fonts.map((font) => font.lookup(PDFName.of("BaseFont"))?.toString())).toEqual(["/SLDESK+CourierPrime-Bold"]);
  const descriptor = fonts[0]!.lookup(PDFName.of("FontDescriptor"), PDFDict);
  expect(descriptor.lookup(PDFName.of("FontFile2"))).toBeDefined();
});

test("the characters of a stamp can be selected and searched", () =>
  withPdf(sealed, async (pdf) => {
    expect(pdf.getPage(0).getText().trim()).toBe("4C7H-29KD-3P17-2XQ0-8");
  }));

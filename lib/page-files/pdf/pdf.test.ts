import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { withPdf } from "./pdf.ts";
import { handWritten } from "#tests/fixtures/pdf.ts";
import { inspect } from "../process/worker.ts";

let path: string;
const a3: [number, number] = [842, 1191];

beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), "sealdesk-pdf-")), "a3.pdf");
  const document = await PDFDocument.create();
  document.addPage(a3);
  await writeFile(path, await document.save());
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => rm(join(path, ".."), { recursive: true }));

const draw = (scale: number) =>
  withPdf(path, async (document) => void (await document.getPage(0).render({ scale, render: "bitmap" })));

test("uses a new PDFium instance after a large file only", async () => {
  // 100 MB of dots: more than is kept.
  await draw(5);
  const init = vi.spyOn(PDFiumLibrary, "init");
  await draw(0.2);
  expect(init).toHaveBeenCalledTimes(1);
  await draw(0.2);
  expect(init).toHaveBeenCalledTimes(1);
});

test("PDFium leaves no accessors at globalThis, which would hold its first instance for ever", async () => {
  await draw(0.2);
  expect(Object.getOwnPropertyNames(globalThis).filter((name) => ["asm", "buffer"].includes(name))).toEqual([]);
});

test.each([
  ["can't be loaded", "/Kids null"],
  ["is thinner than a point", "/MediaBox [0 0 0.1 400]"],
])("a PDF is refused where a later page %s", async (_, page) => {
  const later = join(path, "..", "later.pdf");
  const objects = {
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
    3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] >>",
    4: `<< /Type /Page /Parent 2 0 R ${page} >>`,
  };
  await writeFile(later, handWritten(objects));
  expect(await inspect({ path: later, image: `${later}.webp` })).toEqual({
    refused: "is damaged: page 2 can’t be shown",
  });
});

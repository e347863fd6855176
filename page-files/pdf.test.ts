import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { drawPdfPage, withPdf } from "./pdf.ts";

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

const draw = (dotsPerInch: number) =>
  withPdf(path, async (document) => void (await drawPdfPage(document, 0, { dotsPerInch })));

test("after a file that took much memory the next one gets new memory, and after others the same", async () => {
  // Draws more than fits into what is kept.
  await draw(300);
  const init = vi.spyOn(PDFiumLibrary, "init");
  await draw(20);
  expect(init).toHaveBeenCalledTimes(1);
  await draw(20);
  expect(init).toHaveBeenCalledTimes(1);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPageFiles, type PageFiles } from "./page-files.ts";

let directory: string;
let pageFiles: PageFiles;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-page-files-"));
  pageFiles = openPageFiles({ inspect: 3, draw: 3, clean: 3, seal: 3, picture: 10, asPng: 3 });
});

afterAll(async () => {
  await pageFiles.close();
  await rm(directory, { recursive: true });
});

const inspect = async (name: string, content: Uint8Array) => {
  const path = join(directory, name);
  await writeFile(path, content);
  return pageFiles.inspect({ path, drawn: `${path}.webp` });
};

/** A page that draws a form, which draws another ten times, which … */
async function nestedPdf(levels: number) {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([200, 200]);
  let inner = pdf.context.register(
    pdf.context.flateStream("0 0 9 9 re f", { Type: "XObject", Subtype: "Form", BBox: [0, 0, 200, 200] }),
  );
  for (let n = 0; n < levels; n++) {
    const Resources = pdf.context.obj({ XObject: { X: inner } });
    const dict = { Type: "XObject", Subtype: "Form", BBox: [0, 0, 200, 200], Resources };
    inner = pdf.context.register(pdf.context.flateStream("/X Do ".repeat(10), dict));
  }
  page.node.set(PDFName.of("Resources"), pdf.context.obj({ XObject: { X: inner } }));
  page.node.set(PDFName.of("Contents"), pdf.context.register(pdf.context.stream("/X Do")));
  return pdf.save();
}

test("a PDF that never ends to be drawn is refused, and those after it are not held up", async () => {
  const before = process.memoryUsage().rss;
  const [endless, honest] = await Promise.all([
    inspect("endless.pdf", await nestedPdf(12)),
    inspect("honest.pdf", await nestedPdf(1)),
  ]);
  expect(endless).toEqual({ refused: expect.stringMatching(/too much time or memory|can’t be read/) });
  expect(honest).toMatchObject({ type: "application/pdf", pages: 1 });
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(700);
});

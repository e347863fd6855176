import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Body, handWritten } from "#tests/fixtures/pdf.ts";
import { mebibytesInBytes } from "../../units.ts";
import { settings } from "#tests/support/settings.ts";
import { oneIn } from "#tests/support/shares.ts";
import type { Comparison } from "./compare.ts";
import { openPageFiles, type PageFiles } from "../page-files.ts";

/** Files that take time or memory when they are compared: some are made for it. */

vi.setConfig({ testTimeout: 300_000 });

let directory: string;
let pageFiles: PageFiles;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-bombs-"));
  pageFiles = openPageFiles();
});
afterAll(async () => {
  await pageFiles.close();
  await rm(directory, { recursive: true });
});

const onePage = (content: Body, page = "/MediaBox [0 0 300 200]", objects: Record<number, Body> = {}) =>
  handWritten({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    3: `<< /Type /Page /Parent 2 0 R ${page} /Contents 4 0 R >>`,
    4: content,
    ...objects,
  });
const packed = (bytes: Buffer): Body => ({ dict: "/Filter /FlateDecode", data: deflateSync(bytes) });
const plain = onePage({ dict: "", data: "20 20 100 100 re f" });
const formsWithin = (count: number): Record<number, Body> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      10 + n,
      {
        dict: `/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources << /XObject << /F ${11 + n} 0 R >> >>`,
        data: "/F Do ".repeat(30),
      },
    ]),
  );

const bombs: Record<string, () => Buffer> = {
  "a content of 400 MB": () => onePage(packed(Buffer.alloc(mebibytesInBytes(400), "q Q "))),
  "a million rectangles": () => onePage(packed(Buffer.from("20 20 100 100 re f\n".repeat(1_000_000)))),
  "arrays within each other": () => onePage({ dict: `/X ${"[".repeat(200_000)}${"]".repeat(200_000)}`, data: "" }),
  "forms that each draw 30 others": () =>
    onePage(
      { dict: "", data: "/F Do" },
      "/MediaBox [0 0 300 200] /Resources << /XObject << /F 10 0 R >> >>",
      formsWithin(12),
    ),
  "a sheet of kilometres": () => onePage({ dict: "", data: "0 0 9 9 re f" }, "/MediaBox [0 0 100000000 100000000]"),
  "fifty thousand objects": () =>
    onePage(
      { dict: "", data: "" },
      `/X [${Array.from({ length: 50_000 }, (_, n) => `${n + 10} 0 R`).join(" ")}] /MediaBox [0 0 300 200]`,
      Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [n + 10, "<< /A [1] >>"])),
    ),
};

test.each(oneIn(2, Object.entries(bombs), ([name]) => name))(
  "%s is compared or refused in bounded time",
  async (_, make) => {
    const [path, sealed] = [join(directory, "bomb.pdf"), join(directory, "sealed.pdf")];
    await writeFile(path, make());
    await writeFile(sealed, plain);

    const reply = await pageFiles.work({ tenant: "A", priority: "public" }, (jobs) =>
      jobs.compare({ path, sealed, pictures: 0 }),
    );
    expect("refused" in reply || reply.changes.length > 0 || reply.uncompared.length > 0).toBe(true);
  },
);

/** Pages of an A4 contract of 55 lines, in which a price of each is another if it is `altered`. */
async function contract(count: number, altered: boolean) {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let n = 0; n < count; n++) {
    const page = pdf.addPage([595, 842]);
    for (let line = 0; line < 55; line++) {
      const price = ((n * 131 + line * 57) % 9000) + (altered && line === 20 ? 107 : 100);
      page.drawText(`${n + 1}.${line} A line of an ordinary contract, about goods and their prices: ${price}.${line}`, {
        x: 50,
        y: 800 - line * 14,
        size: 10,
        font,
      });
    }
  }
  return pdf.save();
}

test.each(settings.runsOnce ? [12] : [12, 100])(
  "of an ordinary document of %i pages, all of them altered, each is said to be changed, in less memory and half of the time",
  async (count) => {
    const half = openPageFiles({
      memoryBytes: { alone: mebibytesInBytes(320), concurrent: mebibytesInBytes(200), idle: mebibytesInBytes(140) },
      seconds: { compare: 45 },
    });
    const [path, sealed] = [join(directory, "altered.pdf"), join(directory, "contract.pdf")];
    await writeFile(path, await contract(count, true));
    await writeFile(sealed, await contract(count, false));
    const reply = await half.work({ tenant: "A", priority: "public" }, (jobs) =>
      jobs.compare({ path, sealed, pictures: 4 }),
    );
    await half.close();
    expect(reply).toMatchObject({ pages: count, isAlike: true });
    const { changes, pictures } = reply as Comparison;
    expect(changes.map((one) => one.change)).toEqual(Array.from({ length: Math.min(count, 60) }, () => "changed"));
    expect(pictures).toHaveLength(4);
  },
);

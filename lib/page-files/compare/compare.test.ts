import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument, rgb, StandardFonts } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { alter, invoice, pdfOf, photo, samples } from "#tests/fixtures/altered-pdfs.ts";
import { saveAgain, without } from "#tests/fixtures/pdf-programs.ts";
import { stampPlainly } from "#tests/fixtures/plain-stamp.ts";
import { comparePdfs } from "./compare.ts";

// A minute of drawing, on a busy machine ten.
vi.setConfig({ testTimeout: 900_000 });

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), "sealdesk-compare-"))));
afterAll(() => rm(directory, { recursive: true }));

let files = 0;
const newPath = () => join(directory, `${++files}.pdf`);

async function stored(content: Uint8Array) {
  const path = newPath();
  await writeFile(path, content);
  return path;
}

const stamp = {
  url: "https://sealdesk.example/v/4C7H29KD3P172XQ08",
  code: "4C7H-29KD-3P17-2XQ0-8",
  placing: { place: "bottom-left", pages: "first" },
} as const;

async function sealed(source: string, millimetres = 20) {
  const path = newPath();
  await stampPlainly(source, path, { ...stamp, placing: { ...stamp.placing, millimetres } });
  return path;
}

const compare = (path: string, document: string, pictures = 0) => comparePdfs({ path, sealed: document, pictures });

const fonts = [StandardFonts.Helvetica, StandardFonts.TimesRoman, StandardFonts.HelveticaBold, StandardFonts.Courier];

test("altered documents are never said to look the same, and at least 95 of 100 times the page is named", async () => {
  let named = 0;
  const unnamed: string[] = [];
  for (let n = 0; n < samples; n++) {
    const look = { font: fonts[n % fonts.length]!, fontSize: 7 + (n % 4) };
    const original = invoice(n);
    const { name, pages, altered } = alter(original, n);
    const document = await sealed(await stored(await pdfOf(original, look)));
    const { changes } = await compare(await sealed(await stored(await pdfOf(pages, look))), document);
    expect(changes, `${n}: ${name}`).not.toEqual([]);
    const changedPages = changes.flatMap((one) => [one.change === "added" ? one.filePage : one.page]);
    if (altered.every((page) => changedPages.includes(page))) named++;
    else unnamed.push(`${n}: ${name} of page ${altered.join()}, but ${JSON.stringify(changes)}`);
  }
  expect(named, unnamed.join("\n")).toBeGreaterThanOrEqual(0.95 * samples);
});

const missing = Object.keys(saveAgain).filter((name) => without(name as keyof typeof saveAgain));

test.skipIf(missing.length > 0)(
  "of files that other programs saved again, at least 95 of 100 look the same",
  async () => {
    const changed: string[] = [];
    for (let n = 0; n < samples / 4; n++) {
      const look = {
        font: fonts[n % fonts.length]!,
        fontSize: 6 + (n % 5),
        ...(n % 3 === 0 && { picture: await photo(n) }),
      };
      // A file with its fonts in it, as programs for texts write it.
      const source = newPath();
      await saveAgain.pdftocairo(await stored(await pdfOf(invoice(n), look)), source);
      // The largest stamp, whose characters are the easiest to tell apart.
      const document = await sealed(source, 35);
      for (const [name, save] of Object.entries(saveAgain)) {
        const again = newPath();
        await save(document, again);
        const { changes } = await compare(again, document);
        if (changes.length > 0) changed.push(`${n}: ${name} ${JSON.stringify(changes)}`);
      }
    }
    expect(changed.length, changed.join("\n")).toBeLessThanOrEqual(0.05 * samples);
  },
);

test.skipIf(without("pdftocairo"))(
  "a document that was altered, and then scaled by another program, does not look the same",
  async () => {
    const withFonts = async (content: Uint8Array) => {
      const path = newPath();
      await saveAgain.pdftocairo(await stored(content), path);
      return path;
    };
    const missed: string[] = [];
    for (let n = 0; n < samples; n += 5) {
      for (const fontSize of [7, 8, 10]) {
        const look = { font: fonts[(n / 5) % fonts.length]!, fontSize };
        const { pages } = alter(invoice(n), n);
        const document = await sealed(await withFonts(await pdfOf(invoice(n), look)));
        const forged = newPath();
        await saveAgain.pdftocairo(await sealed(await withFonts(await pdfOf(pages, look))), forged);
        const { changes } = await compare(forged, document);
        if (changes.length !== 1) missed.push(`${n}, ${fontSize} points: ${JSON.stringify(changes)}`);
      }
    }
    expect(missed).toEqual([]);
  },
);

test("pages that another program scaled and moved look the same", async () => {
  const document = await sealed(await stored(await pdfOf(invoice(1))));
  const scaled = newPath();
  const pdf = await PDFDocument.load(await readFile(document));
  for (const page of pdf.getPages()) {
    page.scaleContent(0.9975, 0.9975);
    page.translateContent(0.4, 1.1);
  }
  await writeFile(scaled, await pdf.save());
  expect((await compare(scaled, document)).changes).toEqual([]);
});

test("pictures that a program moved by a hundredth of a point under what covers them look the same", async () => {
  const black = sharp({ create: { width: 60, height: 60, channels: 3, background: "#000" } });
  const picture = await black.extend({ top: 60, background: "#fff" }).jpeg().toBuffer();
  const withPictures = async (moved: number) => {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const image = await pdf.embedJpg(picture);
    const page = pdf.addPage([297.64, 419.53]);
    // In one of them, black continues from one pixel to the next; a pixel is 0.24 points.
    for (let n = 0; n < 30; n++) {
      const y = 20 + n * 12.009;
      page.drawImage(image, { x: 20, y: y + moved, width: 200, height: 10 });
      page.drawRectangle({ x: 10, y: y - 1, width: 220, height: 5.8, color: rgb(1, 1, 1) });
    }
    return stored(await pdf.save());
  };
  const document = await withPictures(0);
  expect((await compare(await withPictures(-0.01), document)).changes).toEqual([]);
  expect((await compare(await withPictures(-0.5), document)).changes).toHaveLength(1);
});

test("a sheet larger than A3 is not drawn large enough to be sure", async () => {
  const large = await PDFDocument.create();
  large.addPage([2384, 3370]).drawText("A plan of the mill", { x: 200, y: 2000, size: 60 });
  const path = await stored(await large.save());
  expect(await compare(path, path)).toMatchObject({ changes: [], uncompared: [{ page: 1, reason: "small" }] });
});

test("of a document of many pages, those beyond the first 60 are neither compared nor said to be added", async () => {
  const many = Array.from({ length: 63 }, (_, n) => [`Clause ${n + 1}`]);
  const document = await stored(await pdfOf(many));
  const beyond = [{ page: 61, filePage: 61, reason: "beyond", names: [] }];
  const again = newPath();
  await writeFile(again, await (await PDFDocument.load(await readFile(document))).save());
  expect(await compare(again, document)).toMatchObject({ changes: [], uncompared: beyond });
  const longer = await stored(await pdfOf([...many.slice(0, 9), ["A clause more"], ...many.slice(9)]));
  expect((await compare(longer, document)).changes).toEqual([{ change: "added", filePage: 10 }]);
});

test("pages for which no time is left are not compared, and altered ones not drawn, but those found are said", async () => {
  const document = await stored(await pdfOf(invoice(1)));
  const altered = await stored(await pdfOf(invoice(1).map((lines) => lines.map((line) => line.replace("20", "21")))));
  const none = await comparePdfs({
    path: altered,
    sealed: document,
    pictures: 3,
    seconds: { comparing: 0, pictures: 0 },
  });
  expect([none.changes, none.uncompared.map(({ reason }) => reason)]).toEqual([[], ["complex", "complex", "complex"]]);
  const all = await comparePdfs({
    path: altered,
    sealed: document,
    pictures: 3,
    seconds: { comparing: 60, pictures: 0 },
  });
  expect([all.changes.length, all.pictures]).toEqual([3, []]);
});

test("draws changed pages side by side, at most as many as requested", async () => {
  const altered = invoice(1).map((lines) => lines.map((line) => line.replace("2026", "2027")));
  const document = await sealed(await stored(await pdfOf(invoice(1))));
  const { changes, pictures } = await compare(await sealed(await stored(await pdfOf(altered))), document, 2);
  expect(changes).toHaveLength(3);
  expect(pictures.map(({ page, filePage }) => [page, filePage])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  const { format, width } = await sharp(Buffer.from(pictures[0]!.file, "base64")).metadata();
  expect([format, width]).toEqual(["webp", 620]);
});

test("a file that names its fonts is changed on the page that was altered, and the others are not compared", async () => {
  const pages = invoice(5);
  const altered = pages.map((lines, n) => lines.map((line) => (n === 1 ? line.replace("2026", "2027") : line)));
  const document = await sealed(await stored(await pdfOf(pages)));
  const { changes, uncompared } = await compare(await stored(await pdfOf(altered)), document);
  // The code is on the first page.
  expect(changes).toEqual([1, 2].map((page) => ({ change: "changed", page, filePage: page })));
  expect(uncompared).toEqual([{ page: 3, filePage: 3, reason: "fonts", names: ["Helvetica"] }]);
});

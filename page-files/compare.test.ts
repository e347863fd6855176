import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { alter, invoice, pdfOf, photo, samples } from "#fixtures/altered-pdfs.ts";
import { without } from "#fixtures/pdf-programs.ts";
import { stampPlainly } from "#fixtures/plain-stamp.ts";
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
  placing: { corner: "bottom-left", pages: "first", millimetres: 20 },
} as const;

async function sealed(source: string) {
  const path = newPath();
  await stampPlainly(source, path, stamp);
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
    const found = changes.flatMap((one) => [one.change === "added" ? one.filePage : one.page]);
    if (altered.every((page) => found.includes(page))) named++;
    else unnamed.push(`${n}: ${name} of page ${altered.join()}, but ${JSON.stringify(changes)}`);
  }
  expect(named, unnamed.join("\n")).toBeGreaterThanOrEqual(0.95 * samples);
});

const run = promisify(execFile);

/** How other programs save a file again. */
const programs = {
  qpdf: (from: string, to: string) => run("qpdf", ["--object-streams=generate", from, to]),
  gs: (from: string, to: string) =>
    run("gs", ["-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", `-sOutputFile=${to}`, from]),
  pdftocairo: (from: string, to: string) => run("pdftocairo", ["-pdf", from, to]),
  mutool: (from: string, to: string) => run("mutool", ["clean", "-gggg", from, to]),
} as const;

const missing = Object.keys(programs).filter((name) => without(name as keyof typeof programs));

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
      await programs.pdftocairo(await stored(await pdfOf(invoice(n), look)), source);
      const document = await sealed(source);
      for (const [name, save] of Object.entries(programs)) {
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
      await programs.pdftocairo(await stored(content), path);
      return path;
    };
    const missed: string[] = [];
    for (let n = 0; n < samples; n += 5) {
      for (const fontSize of [7, 8, 10]) {
        const look = { font: fonts[(n / 5) % fonts.length]!, fontSize };
        const { pages } = alter(invoice(n), n);
        const document = await sealed(await withFonts(await pdfOf(invoice(n), look)));
        const forged = newPath();
        await programs.pdftocairo(await sealed(await withFonts(await pdfOf(pages, look))), forged);
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

test("a sheet larger than A3 is not drawn large enough to be sure", async () => {
  const large = await PDFDocument.create();
  large.addPage([2384, 3370]).drawText("A plan of the mill", { x: 200, y: 2000, size: 60 });
  const path = await stored(await large.save());
  expect(await compare(path, path)).toMatchObject({ changes: [], isComplete: false });
});

test("the changed pages are drawn side by side, at most as many as are asked for", async () => {
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

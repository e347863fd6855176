import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument, PDFRawStream } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { invoice } from "#tests/fixtures/altered-pdfs.ts";
import { alterations } from "#tests/fixtures/altered-sealed.ts";
import { saveAgain, without } from "#tests/fixtures/pdf-programs.ts";
import { sealPages } from "#tests/fixtures/sealed-file.ts";
import { testSigner } from "#tests/fixtures/signer.ts";
import { comparePdfs, type Comparison } from "./compare.ts";
import { copyByPdfium } from "../pdf/pdfium-copy.ts";

vi.setConfig({ testTimeout: 900_000 });

let directory: string;
let sealed: string;
const at = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-altered-"));
  sealed = at("sealed.pdf");
  await sealPages(invoice(1).slice(0, 2), sealed, testSigner());
});
afterAll(() => rm(directory, { recursive: true }));

const compare = (path: string, document = sealed) => comparePdfs({ path, sealed: document, pictures: 0 });

/** What is said of a file beside that its pages look the same. */
const saidOf = ({ changes, more, uncompared }: Comparison): string[] => [
  ...(changes.length > 0 ? ["changed"] : []),
  ...more,
  ...uncompared.map(({ reason }) => reason),
];

test.each(Object.entries(alterations))(
  "a sealed PDF that got %s never looks the same",
  async (_, { said: message, change }) => {
    const pdf = await PDFDocument.load(await readFile(sealed));
    await change({ pdf, page: pdf.getPage(0), context: pdf.context });
    const path = at("altered.pdf");
    await writeFile(path, await pdf.save({ updateFieldAppearances: false }));
    expect(saidOf(await compare(path))).toContain(message);
  },
);

const run = promisify(execFile);
type Save = (from: string, to: string) => Promise<unknown>;
type Program = Parameters<typeof without>[0];

const qpdf =
  (...options: string[]): Save =>
  (from, to) =>
    // Warnings end it with 3.
    run("qpdf", [...options, from, to]).catch((error: { code: number }) => expect(error.code).toBe(3));
const mutool =
  (options: string): Save =>
  (from, to) =>
    run("mutool", ["clean", options, from, to]);
const ghostscript =
  (...options: string[]): Save =>
  (from, to) =>
    run("gs", ["-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", ...options, `-sOutputFile=${to}`, from]);

const innocent: Record<string, [Program | undefined, Save]> = {
  "qpdf, with object streams": ["qpdf", saveAgain.qpdf],
  "qpdf, for the web": ["qpdf", qpdf("--linearize")],
  "qpdf, to be read by people": ["qpdf", qpdf("--qdf", "--object-streams=disable")],
  "qpdf, compressed anew": ["qpdf", qpdf("--recompress-flate", "--compression-level=9")],
  "qpdf, with an owner's password": ["qpdf", qpdf("--encrypt", "", "owner", "256", "--")],
  "MuPDF, without what is twice": ["mutool", saveAgain.mutool],
  "MuPDF, decompressed": ["mutool", mutool("-d")],
  "MuPDF, with its contents written anew": ["mutool", mutool("-gggs")],
  Ghostscript: ["gs", saveAgain.gs],
  "Ghostscript, for a press": ["gs", ghostscript("-dPDFSETTINGS=/prepress")],
  "Ghostscript, as an old version": ["gs", ghostscript("-dCompatibilityLevel=1.3", "-dPDFSETTINGS=/prepress")],
  "Poppler and cairo": ["pdftocairo", saveAgain.pdftocairo],
  "pdf-lib": [
    undefined,
    async (from, to) => writeFile(to, await (await PDFDocument.load(await readFile(from))).save()),
  ],
  PDFium: [undefined, copyByPdfium],
};

const missing = new Set(Object.values(innocent).flatMap(([program]) => (program && without(program) ? [program] : [])));

test.each(
  Object.entries(innocent)
    .filter(([, [program]]) => !program || !missing.has(program))
    .map(([name, [, save]]) => [name, save] as const),
)("a sealed PDF that was saved again by %s looks the same", async (_, save) => {
  const path = at("again.pdf");
  await save(sealed, path);
  expect(saidOf(await compare(path))).toEqual([]);
});

test.skipIf(missing.size > 0)(`programs that are needed for it are there: ${[...missing].join(" ")}`, () => {
  expect(Object.keys(innocent).length).toBeGreaterThanOrEqual(10);
});

/** Letters or characters of a PDF whose font it does not contain, in another order. */
async function reversed(from: string, before: string, after: string) {
  const pdf = await PDFDocument.load(await readFile(from));
  const [[ref, content]] = pdf.context
    .enumerateIndirectObjects()
    .filter(
      ([, object]) => object instanceof PDFRawStream && /Tf/.test(Buffer.from(object.contents).toString("latin1")),
    ) as [[never, PDFRawStream]];
  const text = Buffer.from(content.contents).toString("latin1");
  expect(text.toUpperCase()).toContain(before);
  pdf.context.assign(
    ref,
    pdf.context.stream(
      text
        .toUpperCase()
        .replace(before, after)
        .replace(/BT|TF|TD|TJ/g, (word) => word[0] + (word[1] === "T" ? "T" : word[1]!.toLowerCase())) as never,
    ),
  );
  const path = at("reversed.pdf");
  await writeFile(path, await pdf.save());
  return path;
}

const uncontained = [
  ["Cyrillic letters", "uncontained-cyrillic.pdf", "C0C1C2C3C4C5C6C7C8", "C8C7C6C5C4C3C2C1C0", "ArialMT"],
  ["Chinese characters", "uncontained-chinese.pdf", "5408540C4E66", "4E66540C5408", "STSong-Light"],
] as const;

test.each(uncontained)(
  "%s of a font that the sealed PDF does not contain are not compared if they are others, and else are the same",
  async (_, file, before, after, font) => {
    const document = join(import.meta.dirname, "../../../tests/fixtures", file);
    const path = await reversed(document, before, after);
    const reply = await compare(path, document);
    expect(reply).toMatchObject({
      changes: [],
      uncompared: [{ page: 1, filePage: 1, reason: "fonts", names: [font] }],
    });
    const again = at("same.pdf");
    await copyByPdfium(document, again);
    expect(saidOf(await compare(again, document))).toEqual([]);
  },
);

/** A page as Poppler draws it. */
async function byPoppler(path: string): Promise<Buffer> {
  await run("pdftoppm", ["-r", "60", "-gray", "-png", "-singlefile", "-f", "1", "-l", "1", path, path]);
  return sharp(`${path}.png`).raw().toBuffer();
}

test.skipIf(without("pdftoppm"))("one of them is seen in Poppler, while PDFium draws nothing", async () => {
  const before = await byPoppler(sealed);
  const pdf = await PDFDocument.load(await readFile(sealed));
  const { change } = alterations["words in a Chinese font where nothing was"]!;
  await change({ pdf, page: pdf.getPage(0), context: pdf.context });
  const path = at("by-poppler.pdf");
  await writeFile(path, await pdf.save({ updateFieldAppearances: false }));
  const after = await byPoppler(path);
  expect(after.some((level, n) => Math.abs(level - before[n]!) > 40)).toBe(true);
});

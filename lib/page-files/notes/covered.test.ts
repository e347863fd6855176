import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { degrees, grayscale, PDFDocument, type PDFPage, rgb } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placingSizes } from "#provider/contract/document-options.ts";
import { coveredByPage, coverNotes, joinCovered } from "./covered.ts";
import { codeSides, corners, type Placing } from "../file-types.ts";
import { covered as coveredPages, inspect } from "../process/worker.ts";

/** What a code would lie over, by inspection of page files. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "covered-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function coveredOf(content: Uint8Array) {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, content);
  const result = await inspect({ path, image: `${path}.webp` });
  if ("refused" in result) throw new Error(result.refused);
  return { ...result, covered: await coveredPages({ path, covered: result.covered }) };
}

const a4: [number, number] = [595, 842];

async function pdf(draw: (page: PDFPage, n: number) => void, { pages = 1, size = a4 } = {}) {
  const document = await PDFDocument.create();
  for (let n = 0; n < pages; n++) draw(document.addPage(size), n);
  return Buffer.from(await document.save());
}

/** Without what is printed elsewhere. */
const atCorners = (covered: string) => covered.replaceAll(/\(.*?\)/g, "");

const covered = async (draw: (page: PDFPage, n: number) => void, of?: Parameters<typeof pdf>[1]) =>
  atCorners((await coveredOf(await pdf(draw, of))).covered);

const body = (page: PDFPage) =>
  page.drawText("The landlord lets the flat in Main Street 5 to the tenant", { x: 70, y: 500, size: 11 });
const footer = (page: PDFPage) => page.drawText("IBAN AT61 1904 3002 3457 3201", { x: 450, y: 40, size: 7 });

describe("A code covers", () => {
  test("nothing of a text in the middle of the page", async () => {
    expect(await covered(body)).toBe("0000");
  });

  test("small print, a number of a page, a thin line, pale and coloured words in its corner", async () => {
    expect(await covered(footer)).toBe("0003");
    expect(await covered((page) => page.drawText("3", { x: 540, y: 40, size: 9 }))).toBe("0003");
    const line = { start: { x: 40, y: 60 }, end: { x: 200, y: 60 }, thickness: 0.5 };
    expect(await covered((page) => page.drawLine(line))).toBe("0030");
    const pale = { x: 40, y: 800, size: 8, color: grayscale(0.7) };
    expect(await covered((page) => page.drawText("Copy for the tenant", pale))).toBe("3000");
    const yellow = { x: 520, y: 790, size: 10, color: rgb(1, 0.9, 0) };
    expect(await covered((page) => page.drawText("Draft", yellow))).toBe("0300");
  });

  test("by its size: what only the largest one reaches is no matter of the others", async () => {
    expect(await covered((page) => page.drawText("Signed:", { x: 40, y: 140, size: 11 }))).toBe("0010");
  });

  test("what turned and cropped pages show there, and drawings on large sheets", async () => {
    const turned = (page: PDFPage) => {
      page.setRotation(degrees(90));
      footer(page);
    };
    expect(await covered(turned)).toBe("0030");
    const cropped = (page: PDFPage) => {
      page.setCropBox(300, 300, 280, 400);
      page.drawText("Signature", { x: 330, y: 340, size: 10 });
      page.drawText("Outside", { x: 40, y: 40, size: 10 });
    };
    expect((await covered(cropped))[2]).toBe("3");
    const plan = (page: PDFPage) => page.drawText("Plan 7, scale 1:50", { x: 2270, y: 60, size: 10 });
    expect(await covered(plan, { size: [2384, 1684] })).toBe("0003");
  });

  test("no paper: tinted, shaded, noisy as of a scanner, or with a speck of dust", async () => {
    const tint = (page: PDFPage) =>
      page.drawRectangle({ x: 0, y: 0, width: 595, height: 842, color: rgb(1, 0.95, 0.8) });
    expect(await covered((page) => (tint(page), body(page)))).toBe("0000");
    const scan = await sharp({
      create: {
        width: 1240,
        height: 1754,
        channels: 3,
        background: "#000",
        noise: { type: "gaussian", mean: 225, sigma: 9 },
      },
    })
      .composite([
        {
          input: Buffer.from('<svg width="60" height="60"><circle cx="30" cy="30" r="1.5"/></svg>'),
          left: 100,
          top: 1600,
        },
      ])
      .jpeg({ quality: 70 })
      .toBuffer();
    expect(atCorners((await coveredOf(scan)).covered)).toBe("0000");
    const document = await PDFDocument.create();
    document.addPage(a4).drawImage(await document.embedJpg(scan), { x: 0, y: 0, width: 595, height: 842 });
    expect(atCorners((await coveredOf(await document.save())).covered)).toBe("0000");
    const marked = sharp(scan).composite([
      {
        input: Buffer.from('<svg width="300" height="40"><text y="30" font-size="24">Stamp of 3 May</text></svg>'),
        left: 930,
        top: 1600,
      },
    ]);
    expect(atCorners((await coveredOf(await marked.jpeg().toBuffer())).covered)).toBe("0003");
  });

  test("what a picture shows once it is on its sheet", async () => {
    const words = Buffer.from(
      '<svg width="400" height="300"><rect width="400" height="300" fill="white"/><text x="20" y="280" font-size="24">Words</text></svg>',
    );
    const wide = sharp({ create: { width: 400, height: 300, channels: 3, background: "white" } }).composite([
      { input: words },
    ]);
    expect(atCorners((await coveredOf(await wide.png().toBuffer())).covered)).toBe("0030");
    // In the middle of its sheet, where the smallest code does not reach it.
    const square = sharp({ create: { width: 300, height: 300, channels: 3, background: "grey" } });
    expect(atCorners((await coveredOf(await square.png().toBuffer())).covered)).toBe("2222");
  });
});

describe("Of several pages", () => {
  const placing = (pages: Placing["pages"], millimetres = 25): Placing => ({
    place: "bottom-right",
    pages,
    millimetres,
  });
  const size = { type: "application/pdf", width: 595, height: 842 };
  const onPage = "The code covers something on";
  const advice = ": choose another place or size, or other pages";

  test("the chosen ones are named, counted through all files", async () => {
    const files = [
      await coveredOf(await pdf(body)),
      await coveredOf(await pdf((page, n) => (n === 1 ? footer(page) : body(page)), { pages: 3 })),
    ];
    expect(files.map((file) => atCorners(file.covered))).toEqual(["0000", "000000030000"]);
    expect(coverNotes(files, placing("every"))).toEqual([`${onPage} page 3${advice}`]);
    expect(coverNotes(files, placing("first"))).toEqual([]);
    expect(coverNotes(files, placing("last"))).toEqual([]);
    expect(coverNotes(files, { ...placing("every"), place: "top-left" })).toEqual([]);
    expect(coverNotes(files, undefined)).toEqual([]);
    expect(coverNotes([], placing("every"))).toEqual([]);
    expect(coverNotes([], placing("last"))).toEqual([]);
    expect(coverNotes([...files, { ...size, pages: 1, covered: "" }], placing("every"))).toEqual([]);
  });

  test("counts many, and names pages that were not inspected", () => {
    const many = [{ ...size, pages: 10, covered: "0001".repeat(9) + "????" }];
    expect(coverNotes(many, placing("every", 35))).toEqual([
      `${onPage} pages 1, 2, 3, 4, 5 and 4 more${advice}`,
      "Whether the code covers something was not looked at on 1 of the pages",
    ]);
    expect(coverNotes(many, placing("every"))).toHaveLength(1);
    expect(coverNotes(many, placing("first", 35))).toEqual([`${onPage} page 1${advice}`]);
  });
});

describe("A code at any place", () => {
  const at = (left: number, top: number, pages: Placing["pages"] = "first"): Placing => ({
    place: { left, top },
    pages,
    millimetres: 25,
  });
  const note = "The code covers something on page 1: choose another place or size, or other pages";

  test("covers words, and nothing of the paper beside them", async () => {
    // The words are 117 to 122 mm from the top, and 25 mm from the left.
    const file = await coveredOf(await pdf(body));
    for (const [left, top] of [
      [30, 105],
      [60, 119],
      [25, 95],
      [110, 110],
    ] as const)
      expect(coverNotes([file], at(left, top)), `${left} ${top}`).toEqual([note]);
    for (const [left, top] of [
      [30, 80],
      [60, 140],
      [150, 250],
      [5, 5],
    ] as const)
      expect(coverNotes([file], at(left, top)), `${left} ${top}`).toEqual([]);
  });

  test("is moved onto the page if it would lie outside, and covers what is there", async () => {
    const file = await coveredOf(await pdf(footer));
    expect(coverNotes([file], at(500, 500))).toEqual([note]);
    expect(coverNotes([file], { ...at(0, 0), place: "own-page" })).toEqual([]);
  });

  test("of files of earlier versions and of pages too many to be stored is said not to be looked at", async () => {
    const unknown = "Whether the code covers something was not looked at on 1 of the pages";
    const file = await coveredOf(await pdf(body));
    expect(coverNotes([{ ...file, covered: "0000" }], at(5, 5))).toEqual([unknown]);
    const dots = (page: PDFPage) => {
      for (let n = 0; n < 400; n++) page.drawText(".", { x: (n * 271) % 590, y: (n * 97 * n) % 830, size: 40 });
    };
    const [page] = coveredByPage((await coveredOf(await pdf(dots))).covered);
    const many = joinCovered(Array.from({ length: 500 }, () => page!));
    expect(many.length).toBeLessThanOrEqual(40_000);
    expect(coveredByPage(many)).toHaveLength(500);
    expect(coverNotes([{ ...file, pages: 500, covered: many }], at(30, 105, "last"))).toHaveLength(1);
    expect(coverNotes([{ ...file, pages: 500, covered: many }], at(30, 105, "every"))).toHaveLength(2);
  });
});

test("sizes and corners are those of the contract", () => {
  expect(codeSides).toEqual(Object.values(placingSizes).toSorted((a, b) => b - a));
  expect(corners).toHaveLength(4);
});

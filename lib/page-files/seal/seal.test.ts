import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { degrees, grayscale, PDFDocument } from "@cantoo/pdf-lib";
import jsQR from "jsqr";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compose, type SourceFile } from "./compose.ts";
import { stampContent } from "./stamp-content.ts";
import type { Corner, Placing } from "../file-types.ts";
import { withPdf } from "../pdf/pdf.ts";
import { handWritten } from "#tests/fixtures/pdf.ts";
import { qrModules } from "./qr.ts";

const url = "https://sealdesk.example/v/4C7H29KD3P172XQ08";
const code = "4C7H-29KD-3P17-2XQ0-8";
let directory: string;
let sources: SourceFile[];

/** Upright, turned, cropped and moved pages, a photo lying on its side, and a page that draws over its edges. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-seal-"));
  const pdf = await PDFDocument.create();
  for (const angle of [0, 90, 180, 270]) {
    const page = pdf.addPage([595, 842]);
    page.setRotation(degrees(angle));
    page.setCropBox(20, 30, 500, 700);
    page.drawText("Black text under the stamp", { x: 40, y: 60, size: 20 });
  }
  const photo = sharp({ create: { width: 1200, height: 800, channels: 3, background: "#334455" } });
  sources = [
    { path: join(directory, "a.pdf"), type: "application/pdf" },
    { path: join(directory, "b.jpg"), type: "image/jpeg" },
    { path: join(directory, "c.png"), type: "image/png" },
  ];
  await writeFile(sources[0]!.path, await pdf.save());
  await writeFile(sources[1]!.path, await photo.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer());
  await writeFile(sources[2]!.path, await photo.png().toBuffer());
});

afterAll(() => rm(directory, { recursive: true }));

async function composed(files: SourceFile[], placing?: Placing) {
  const path = join(directory, "composed.pdf");
  const sizes = { plain: qrModules(url).size, signed: 177 };
  const { stamp } = await compose(files, path, { stamp: placing && { code, placing, sizes } });
  const pdf = await readFile(path);
  if (stamp) pdf.set(stampContent(url, code), stamp.start);
  return pdf;
}

type Bitmap = { data: Uint8ClampedArray; width: number; height: number };

/** The quarter of a bitmap at a corner. */
function quarterOf({ data, width, height }: Bitmap, corner: Corner): Bitmap {
  const [w, h] = [Math.floor(width / 2), Math.floor(height / 2)];
  const [x, y] = [corner.endsWith("right") ? width - w : 0, corner.startsWith("bottom") ? height - h : 0];
  const quarter = new Uint8ClampedArray(w * h * 4);
  for (let row = 0; row < h; row++) {
    const start = ((y + row) * width + x) * 4;
    quarter.set(data.subarray(start, start + w * 4), row * w * 4);
  }
  return { data: quarter, width: w, height: h };
}

/** What a decoder reads on each page: at one corner, where it is found sooner, or anywhere. */
async function readSeals(pdf: Uint8Array, corner?: Corner) {
  const path = join(directory, `sealed-${Math.random()}.pdf`);
  await writeFile(path, pdf);
  return withPdf(path, async (document) => {
    const qrCodes: { text: string; page: number }[] = [];
    for (const page of document.pages()) {
      const { data, ...size } = await page.render({ scale: 2, render: "bitmap" });
      const whole = { data: new Uint8ClampedArray(data), ...size };
      const { data: pixels, width, height } = corner ? quarterOf(whole, corner) : whole;
      const decodedCode = jsQR(pixels, width, height, { inversionAttempts: "dontInvert" });
      if (decodedCode) qrCodes.push({ text: decodedCode.data, page: page.number });
    }
    return qrCodes;
  });
}

const corners: Corner[] = ["top-left", "top-right", "bottom-left", "bottom-right"];

describe.each(corners)("a seal %s", (corner) => {
  test.each([20, 25, 35])("of %i mm is read back from every page, in its corner", async (millimetres) => {
    const pdf = await composed(sources, { place: corner, pages: "every", millimetres });
    expect(await readSeals(pdf, corner)).toEqual([0, 1, 2, 3, 4, 5].map((page) => ({ text: url, page })));
  });

  test.each([
    ["first", 0],
    ["last", 5],
  ] as const)("on the %s page is on no other", async (pages, page) => {
    const pdf = await composed(sources, { place: corner, pages, millimetres: 25 });
    expect(await readSeals(pdf, corner)).toEqual([{ text: url, page }]);
  });
});

test("without a placing, all pages come in order and unstamped", async () => {
  const pdf = await composed(sources);
  expect(await readSeals(pdf)).toEqual([]);
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(6);
});

test("the code has the chosen size on paper and a quiet zone of four modules", async () => {
  const path = join(directory, "grey.pdf");
  const grey = await PDFDocument.create();
  grey.addPage([595, 842]).drawRectangle({ x: 0, y: 0, width: 595, height: 842, color: grayscale(0.5) });
  await writeFile(path, await grey.save());
  const placing = { place: "top-left", pages: "first", millimetres: 25 } as const;
  const pdf = join(directory, "sized.pdf");
  await writeFile(pdf, await composed([{ path, type: "application/pdf" }], placing));
  await withPdf(pdf, async (document) => {
    const scale = 4;
    const { data, width, height } = await document.getPage(0).render({ scale, render: "bitmap" });
    const { topLeftCorner, topRightCorner } = jsQR(new Uint8ClampedArray(data), width, height)!.location;
    const millimetres = ((topRightCorner.x - topLeftCorner.x) / scale / 72) * 25.4;
    expect(millimetres).toBeGreaterThan(24.7);
    expect(millimetres).toBeLessThan(25.3);
    // Left of the code: white for four of its modules, then the page's grey.
    const module = (topRightCorner.x - topLeftCorner.x) / qrModules(url).size;
    const y = Math.round(topLeftCorner.y + module / 2);
    const brightness = (modules: number) => data[(y * width + Math.round(topLeftCorner.x - modules * module)) * 4]!;
    expect([0.5, 2, 3.7].map((modules) => brightness(modules) > 250)).toEqual([true, true, true]);
    expect(brightness(4.5)).toBeLessThan(250);
  });
});

/** A PDF of one page, or of several that share all they draw. */
const onPages = (...pages: string[]) =>
  handWritten({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: `<< /Type /Pages /Kids [${pages.map((_, n) => `${n + 10} 0 R`).join(" ")}] /Count ${pages.length} /MediaBox [0 0 400 500] >>`,
    3: "[4 0 R]",
    4: { dict: "", data: "0.5 g 0 0 400 500 re f" },
    ...Object.fromEntries(pages.map((page, n) => [n + 10, `<< /Type /Page /Parent 2 0 R /Contents 3 0 R ${page} >>`])),
  });

async function sealed(pdf: Buffer, placing: Placing) {
  const path = join(directory, `${Math.random()}.pdf`);
  await writeFile(path, pdf);
  return readSeals(await composed([{ path, type: "application/pdf" }], placing), placing.place as Corner);
}

test("stamps one page alone if pages share their content", async () => {
  const placing = { place: "top-left", pages: "first", millimetres: 25 } as const;
  expect(await sealed(onPages("", "/Rotate 180"), placing)).toEqual([{ text: url, page: 0 }]);
});

test.each([
  ["shows more than its paper", "/CropBox [-300 -300 900 900]"],
  ["shows none of its paper", "/CropBox [900 900 950 950]"],
  ["is measured from its other corner", "/MediaBox [400 500 0 0] /CropBox [380 480 10 10]"],
  ["has no sizes", "/MediaBox 4 0 R"],
  ["is turned by less than a quarter", "/Rotate 45"],
  ["is turned backwards", "/Rotate -90"],
  ["is turned more than once", "/Rotate 810"],
  ["is measured in larger units", "/UserUnit 2"],
  ["is measured in no units", "/UserUnit 0"],
])("a seal is read back where the page %s", async (_, page) => {
  const placing = { place: "bottom-left", pages: "every", millimetres: 25 } as const;
  expect(await sealed(onPages(page), placing)).toEqual([{ text: url, page: 0 }]);
});

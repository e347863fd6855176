import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { degrees, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oneIn } from "#tests/support/shares.ts";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { readByZbar, readPlacesByZxing } from "#tests/fixtures/qr-decoders.ts";
import type { Placing } from "../file-types.ts";
import { compose } from "./compose.ts";
import { qrModules } from "./qr.ts";
import { stampContent } from "./stamp-content.ts";

/** Codes at any place of pages whose boxes, turns and units differ. */

const url = "https://sealdesk.example/v/4C7H29KD3P172XQ08";
const code = "4C7H-29KD-3P17-2XQ0-8";
const dotsPerInch = 150;
/** In millimetres as viewed. */
const boxes = [
  { what: "A4", width: 210, height: 297 },
  { what: "moved origin", width: 210, height: 297 },
  { what: "cropped", width: 180, height: 250 },
  { what: "turned and cropped", width: 250, height: 180 },
  { what: "in larger units, upside down", width: 210, height: 297 },
];
const points = (millimetres: number) => (millimetres / 25.4) * 72;

let folder: string;
let source: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "placed-"));
  source = join(folder, "boxes.pdf");
  const pdf = await PDFDocument.create();
  const [width, height] = [points(210), points(297)];
  const cropped = [points(20), points(30), points(180), points(250)] as const;
  const pages = boxes.map(() => pdf.addPage([width, height]));
  pages[1]!.setMediaBox(-300, 120, width, height);
  pages[2]!.setCropBox(...cropped);
  pages[3]!.setCropBox(...cropped);
  pages[3]!.setRotation(degrees(90));
  pages[4]!.setMediaBox(0, 0, width / 2, height / 2);
  pages[4]!.setRotation(degrees(180));
  pages[4]!.node.set(PDFName.of("UserUnit"), pdf.context.obj(2));
  for (const page of pages)
    for (let y = 40; y < 800; y += 40) page.drawText("Words ".repeat(20), { x: 5, y, size: 12 });
  await writeFile(source, await pdf.save());
});
afterAll(() => rm(folder, { recursive: true }));

/** Seals the pages, draws them as a printer does, and returns the paths of the pictures. */
async function drawn(placing: Placing, name: string) {
  const path = join(folder, `${name}.pdf`);
  const { size } = qrModules(url);
  const stamp = { code, placing, sizes: { plain: size, signed: 177 } };
  const { stamp: space } = await compose([{ path: source, type: "application/pdf" }], path, { stamp });
  const pdf = await readFile(path);
  pdf.set(stampContent(url, placing.isBare ? "" : code), space!.start);
  await writeFile(path, pdf);
  await promisify(execFile)("mutool", [
    "draw",
    "-q",
    "-r",
    `${dotsPerInch}`,
    "-c",
    "gray",
    "-o",
    `${path}.%d.png`,
    path,
  ]);
  const pages = (await PDFDocument.load(pdf)).getPageCount();
  return Array.from({ length: pages }, (_, n) => `${path}.${n + 1}.png`);
}

/** The same numbers each time. */
function randomNumbers(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.round((state / 2 ** 31) * most * 2) / 2;
  };
}
const random = randomNumbers(20261129);
const places = Array.from({ length: 50 }, () => ({
  left: random(230),
  top: random(300),
  side: 20 + random(25),
  isBare: random(1) > 0.5,
}));

const isMissing = without("mutool") || without("zbarimg");

test.skipIf(isMissing).each(oneIn(10, places))(
  "a code $left mm from the left and $top mm from the top, of $side mm, is read there on every page",
  async ({ left, top, side, isBare }) => {
    const placing = { place: { left, top }, pages: "every", millimetres: side, isBare } as const;
    const pictures = await drawn(placing, `${left}-${top}`);
    expect(pictures).toHaveLength(boxes.length);
    for (const [n, picture] of pictures.entries()) {
      const { what, width, height } = boxes[n]!;
      const [barcode, ...more] = await readPlacesByZxing(await readFile(picture));
      expect([barcode?.text, more], what).toEqual([url, []]);
      expect(await readByZbar(picture), what).toEqual([url]);
      // Beyond the edge it is moved onto the page, with its white margin.
      const margin = (4 / 33) * side;
      const letters = isBare ? 0 : side / code.length / 0.6;
      const within = (at: number, length: number, below: number) =>
        Math.max(margin, Math.min(at, length - side - margin - below));
      const seen = [barcode!.left, barcode!.top].map((pixels) => (pixels / dotsPerInch) * 25.4);
      expect(Math.abs(seen[0]! - within(left, width, 0)), what).toBeLessThan(1);
      expect(Math.abs(seen[1]! - within(top, height, letters)), what).toBeLessThan(1);
    }
  },
);

test.skipIf(isMissing)(
  "a page of its own is appended, in the size of the last one, and alone has the code",
  async () => {
    const pictures = await drawn({ place: "own-page", pages: "last", millimetres: 25 }, "own-page");
    expect(pictures).toHaveLength(boxes.length + 1);
    const read = await Promise.all(pictures.map((picture) => readByZbar(picture)));
    expect(read).toEqual([...boxes.map(() => []), [url]]);
    const pdf = await PDFDocument.load(await readFile(join(folder, "own-page.pdf")));
    const { width, height } = pdf.getPages().at(-1)!.getSize();
    expect([Math.round(width), Math.round(height)]).toEqual([595, 842]);
  },
);

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { degrees, grayscale, PDFArray, PDFDict, PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import jsQR from "jsqr";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withoutJpegMetadata } from "./image-metadata.ts";
import { compose, type SourceFile, type Stamp } from "./compose.ts";
import type { Placing } from "./kinds.ts";
import { withPdf } from "./pdf.ts";
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

async function composed(files: SourceFile[], stamp?: Stamp) {
  const path = join(directory, "composed.pdf");
  await compose(files, path, stamp);
  return readFile(path);
}

/** What a decoder reads on each page, and in which corner of it. */
async function readSeals(pdf: Uint8Array) {
  const path = join(directory, `sealed-${Math.random()}.pdf`);
  await writeFile(path, pdf);
  return withPdf(path, async (document) => {
    const found: { text: string; corner: string; page: number }[] = [];
    for (const page of document.pages()) {
      const { data, width, height } = await page.render({ scale: 2, render: "bitmap" });
      const read = jsQR(new Uint8ClampedArray(data), width, height);
      if (!read) continue;
      const { topLeftCorner, bottomRightCorner } = read.location;
      const x = (topLeftCorner.x + bottomRightCorner.x) / 2 < width / 2 ? "left" : "right";
      const y = (topLeftCorner.y + bottomRightCorner.y) / 2 < height / 2 ? "top" : "bottom";
      found.push({ text: read.data, corner: `${y}-${x}`, page: page.number });
    }
    return found;
  });
}

const corners: Placing["corner"][] = ["top-left", "top-right", "bottom-left", "bottom-right"];

describe.each(corners)("a seal %s", (corner) => {
  test.each([20, 25, 35])("of %i mm is read back from every page, in its corner", async (millimetres) => {
    const pdf = await composed(sources, { url, code, placing: { corner, pages: "every", millimetres } });
    const found = await readSeals(pdf);
    expect(found.map(({ page }) => page)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const seal of found) expect(seal).toMatchObject({ text: url, corner });
  });

  test.each([
    ["first", 0],
    ["last", 5],
  ] as const)("on the %s page is on no other", async (pages, page) => {
    const pdf = await composed(sources, { url, code, placing: { corner, pages, millimetres: 25 } });
    expect(await readSeals(pdf)).toEqual([{ text: url, corner, page }]);
  });
});

test("without a placing, all pages are there in order and none is stamped", async () => {
  const pdf = await composed(sources);
  expect(await readSeals(pdf)).toEqual([]);
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(6);
});

test("the code has the chosen size on paper and four modules of white around it", async () => {
  const path = join(directory, "grey.pdf");
  const grey = await PDFDocument.create();
  grey.addPage([595, 842]).drawRectangle({ x: 0, y: 0, width: 595, height: 842, color: grayscale(0.5) });
  await writeFile(path, await grey.save());
  const placing = { corner: "top-left", pages: "first", millimetres: 25 } as const;
  const pdf = join(directory, "sized.pdf");
  await compose([{ path, type: "application/pdf" }], pdf, { url, code, placing });
  await withPdf(pdf, async (document) => {
    const scale = 8;
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

test("a PDF loses its metadata, scripts and attachments, and keeps links to web pages", async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage();
  page.drawText("visible");
  pdf.setAuthor("AUTHOR-MARK");
  pdf.addJavaScript("run", "app.alert('SCRIPT-MARK')");
  await pdf.attach(Buffer.from("ATTACHMENT-MARK"), "secret.txt");
  const action = (kind: string, key: string, value: string) =>
    pdf.context.obj({ Type: "Action", S: kind, [key]: PDFString.of(value) });
  const link = (of: PDFDict) => pdf.context.obj({ Type: "Annot", Subtype: "Link", Rect: [0, 0, 9, 9], A: of });
  const links = [link(action("URI", "URI", "https://kept.example")), link(action("JavaScript", "JS", "LINK-MARK"))];
  page.node.set(PDFName.of("Annots"), pdf.context.obj(links));
  page.node.set(PDFName.of("AA"), pdf.context.obj({ O: action("JavaScript", "JS", "PAGE-MARK") }));
  const path = join(directory, "active.pdf");
  await writeFile(path, await pdf.save({ useObjectStreams: false }));
  for (const mark of ["LINK-MARK", "PAGE-MARK"]) expect(await readFile(path, "latin1")).toContain(mark);

  const clean = await PDFDocument.load(await composed([{ path, type: "application/pdf" }]));
  const text = Buffer.from(await clean.save({ useObjectStreams: false })).toString("latin1");
  for (const mark of ["AUTHOR-MARK", "SCRIPT-MARK", "LINK-MARK", "PAGE-MARK", "EmbeddedFile", "JavaScript"]) {
    expect(text).not.toContain(mark);
  }
  expect(text).toContain("https://kept.example");
  expect(clean.getPage(0).node.lookup(PDFName.of("Annots"), PDFArray).size()).toBe(2);
});

test("a photo inside a PDF loses what the camera noted", async () => {
  const jpeg = await sharp({ create: { width: 40, height: 40, channels: 3, background: "red" } })
    .withExif({ IFD0: { Copyright: "EXIF-MARK" } })
    .jpeg()
    .toBuffer();
  expect(jpeg.includes("EXIF-MARK")).toBe(true);
  const bare = withoutJpegMetadata(jpeg);
  expect(Buffer.from(bare).includes("EXIF-MARK")).toBe(false);
  expect((await sharp(bare).stats()).channels[0]!.mean).toBeGreaterThan(250);

  const pdf = await PDFDocument.create();
  const dict = {
    Type: "XObject",
    Subtype: "Image",
    Width: 40,
    Height: 40,
    BitsPerComponent: 8,
    ColorSpace: "DeviceRGB",
  };
  const image = pdf.context.register(pdf.context.stream(jpeg, { ...dict, Filter: ["DCTDecode"] }));
  const page = pdf.addPage();
  page.node.set(PDFName.of("Resources"), pdf.context.obj({ XObject: { X: image } }));
  page.node.set(PDFName.of("AF"), pdf.context.obj([pdf.context.register(pdf.context.stream("ASSOCIATED-MARK", {}))]));
  const path = join(directory, "photo.pdf");
  await writeFile(path, await pdf.save({ useObjectStreams: false }));
  const clean = (await composed([{ path, type: "application/pdf" }])).toString("latin1");
  for (const mark of ["EXIF-MARK", "ASSOCIATED-MARK"]) expect(clean).not.toContain(mark);
});

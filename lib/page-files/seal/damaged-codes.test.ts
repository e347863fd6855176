import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsQR from "jsqr";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import published from "../../seal/test-vectors.json" with { type: "json" };
import { without } from "#tests/fixtures/pdf-programs.ts";
import { readByZbar, readByZxing } from "#tests/fixtures/qr-decoders.ts";
import { qrModules, qrPng } from "./qr.ts";

/** Codes as cheap phones see them, and after accidents: two of three decoders read each. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "damaged-"));
});
afterAll(() => rm(folder, { recursive: true }));

const dotsPerInch = 300;
const pixels = (millimetres: number) => Math.round((millimetres / 25.4) * dotsPerInch);
/** Of white around the code, in pixels. */
const margin = 60;

type Picture = { png: Buffer; side: number; millimetres: number };

/** A code as it is printed, on white paper. */
async function printed(text: string, millimetres: number): Promise<Picture> {
  const { size } = qrModules(text);
  const quiet = (4 / size) * millimetres;
  const code = await sharp(qrPng(text))
    .resize(pixels(millimetres + 2 * quiet))
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: "white" })
    .toColourspace("b-w")
    .png();
  const { data, info } = await code.toBuffer({ resolveWithObject: true });
  return { png: data, side: info.width, millimetres };
}

const box = (width: number, height: number, colour: string) =>
  Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${colour}"/></svg>`,
  );
const covered = ({ png, side, millimetres }: Picture, share: { width: number; height: number }, colour: string) => {
  const [width, height] = [pixels(millimetres * share.width), pixels(millimetres * share.height)];
  const input = box(width, height, colour);
  return sharp(png).composite([{ input, left: Math.round((side - width) / 2), top: Math.round((side - height) / 2) }]);
};
const blot = { width: Math.sqrt(0.1), height: Math.sqrt(0.1) };
const shrunk = ({ png, side, millimetres }: Picture, to: number, dots = dotsPerInch) =>
  sharp(png).resize(Math.round((side * to * dots) / (millimetres * dotsPerInch)));

async function noisy({ png, side }: Picture) {
  const bytes = await sharp(png).toColourspace("b-w").raw().toBuffer();
  let state = 7;
  const noise = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31 - 0.5;
  const changed = bytes.map((byte) => Math.max(0, Math.min(255, byte + noise() * 120)));
  return sharp(changed, { raw: { width: side, height: side, channels: 1 } });
}

/** Seen from below: the upper edge is shorter by a share. */
async function leaning({ png, side }: Picture, share: number) {
  const bytes = await sharp(png).toColourspace("b-w").raw().toBuffer();
  const seen = Buffer.alloc(bytes.length, 255);
  for (let y = 0; y < side; y++) {
    const scale = 1 - share * (1 - y / side);
    const row = Math.round(side - (side - y) / scale);
    for (let x = 0; x < side; x++) {
      const column = Math.round((x - side / 2) / scale + side / 2);
      const isWithin = row >= 0 && column >= 0 && column < side;
      if (isWithin) seen[y * side + x] = bytes[row * side + column]!;
    }
  }
  return sharp(seen, { raw: { width: side, height: side, channels: 1 } });
}

type Damage = [what: string, damage: (picture: Picture) => Sharp | Promise<Sharp>];
const damages: Damage[] = [
  ["plain", ({ png }) => sharp(png)],
  ["at 150 dpi", (picture) => shrunk(picture, picture.millimetres, 150)],
  ["at 100 dpi", (picture) => shrunk(picture, picture.millimetres, 100)],
  ["as a JPEG of quality 20", async ({ png }) => sharp(await sharp(png).jpeg({ quality: 20 }).toBuffer())],
  ["in the dark", ({ png }) => sharp(png).linear(0.4, 0)],
  ["turned", ({ png }) => sharp(png).rotate(17, { background: "white" })],
  ["with noise", noisy],
  ["with a white strip", (picture) => covered(picture, { width: 1, height: 0.04 }, "white")],
  ["out of focus by 0.15 mm", ({ png }) => sharp(png).blur((0.15 / 25.4) * dotsPerInch)],
  ["out of focus by 0.25 mm", ({ png }) => sharp(png).blur((0.25 / 25.4) * dotsPerInch)],
  ["shrunk to 15 mm", (picture) => shrunk(picture, 15)],
  ["shrunk to 15 mm at 180 dpi", (picture) => shrunk(picture, 15, 180)],
  ["leaning by 15 %", (picture) => leaning(picture, 0.15)],
  ["leaning by 30 %", (picture) => leaning(picture, 0.3)],
  ["with a black blot", (picture) => covered(picture, blot, "black")],
  ["with a white blot", (picture) => covered(picture, blot, "white")],
];

async function readers(picture: Sharp, text: string): Promise<string[]> {
  const png = await picture.toColourspace("srgb").png().toBuffer();
  const path = join(folder, `${crypto.randomUUID()}.png`);
  await writeFile(path, png);
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const byJsQr = jsQR(Uint8ClampedArray.from(data), info.width, info.height)?.data;
  const texts = { zxing: (await readByZxing(png))[0], jsQR: byJsQr, zbar: (await readByZbar(path))[0] };
  return Object.entries(texts).flatMap(([reader, read]) => (read === text ? [reader] : []));
}

const [vector] = published.vectors;
/** The longest address whose code has as many modules as 30 mm allow. */
const longAddress = vector!.url.replace("sealdesk.example", "verify.companyname.co.uk");
const codes = [
  { what: "signed, 30 mm", text: vector!.url, millimetres: 30, modules: 49 },
  { what: "signed for a long address, 30 mm", text: longAddress, millimetres: 30, modules: 53 },
  { what: "unsigned, 20 mm", text: published.address, millimetres: 20, modules: 33 },
];

test.skipIf(without("zbarimg")).each(codes)(
  "two of three decoders read each damaged code: $what",
  async ({ text, millimetres, modules }) => {
    expect(qrModules(text).size).toBe(modules);
    const picture = await printed(text, millimetres);
    const failed: string[] = [];
    for (const [what, damage] of damages) {
      const by = await readers(await damage(picture), text);
      if (by.length < 2) failed.push(`${what}: ${by.join()}`);
    }
    expect(failed).toEqual([]);
  },
  60_000,
);

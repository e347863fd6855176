import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compose } from "../seal/compose.ts";
import { drawPdfPage, withPdf } from "./pdf.ts";
import { clean, inspect } from "../process/worker.ts";

/** Pictures of phones and scanners, which are sealed as image viewers show them. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pictures-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Place = "top left" | "top right" | "bottom left" | "bottom right";
const places: Record<Place, [number, number]> = {
  "top left": [0.1, 0.1],
  "top right": [0.9, 0.1],
  "bottom left": [0.1, 0.9],
  "bottom right": [0.9, 0.9],
};

/** The corners of a picture that are red rather than white. */
async function redCorners(picture: Sharp): Promise<string[]> {
  const { data, info } = await picture.removeAlpha().toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return Object.entries(places).flatMap(([place, [x, y]]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const [red, green, blue] = data.subarray(at, at + 3) as unknown as [number, number, number];
    if (red > 225 && green > 240 && blue > 240) return [];
    return [red > 225 && green < 30 && blue < 40 ? place : `${place} ${red},${green},${blue}`];
  });
}

const cases: [string, { width: number; height: number; red: Place[]; notes?: string[] }][] = [
  ["exif-3.jpg", { width: 300, height: 200, red: ["bottom right"] }],
  ["exif-5.jpg", { width: 200, height: 300, red: ["top left"] }],
  ["exif-6.jpg", { width: 200, height: 300, red: ["top right"] }],
  ["exif-8.jpg", { width: 200, height: 300, red: ["bottom left"] }],
  ["cmyk.jpg", { width: 300, height: 200, red: ["top left"] }],
  ["sixteen-bit.png", { width: 300, height: 200, red: ["top left"] }],
  ["motion-photo.jpg", { width: 300, height: 200, red: ["top left"] }],
  [
    "animated.png",
    { width: 100, height: 60, red: [], notes: ["is animated: the sealed PDF will have its first picture"] },
  ],
];

describe("Pictures as phones and scanners make them", () => {
  test.each(cases)("%s is added, downloaded and sealed upright and in its colours", async (name, expected) => {
    const { width, height, red, notes = [] } = expected;
    const path = new URL(`../../../tests/fixtures/page-pictures/${name}`, import.meta.url).pathname;
    const [image, cleaned, sealed] = ["image", "cleaned", "sealed"].map((part) => join(folder, `${name}-${part}`)) as [
      string,
      string,
      string,
    ];
    const inspected = await inspect({ path, image });
    const type = name.endsWith(".png") ? "image/png" : "image/jpeg";
    const blank = "is blank on white paper: nothing can be seen on its first page";
    expect(inspected).toMatchObject({
      type,
      pages: 1,
      width,
      height,
      notes: red.length > 0 ? notes : [blank, ...notes],
    });
    expect(await redCorners(sharp(image))).toEqual(red);
    await clean({ path, type, to: cleaned });
    expect(await redCorners(sharp(cleaned))).toEqual(red);
    await compose([{ path, type }], sealed);
    const page = await withPdf(sealed, async (document) => {
      const drawn = await drawPdfPage(document, 0, { pixels: 300 });
      return { red: await redCorners(drawn.picture), isUpright: drawn.height > drawn.width };
    });
    expect(page).toEqual({ red, isUpright: height > width });
    // The film behind a motion photo.
    for (const to of [cleaned, sealed]) expect((await readFile(to)).includes("ftyp")).toBe(false);
  });
});

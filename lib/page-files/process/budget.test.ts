import { expect, test } from "vitest";
import { pictureRefusal } from "./budget.ts";

const scan = { format: "png", width: 9921, height: 7016, channels: 3, depth: "uchar", isProgressive: false } as const;
const megapixels = (n: number) => ({ width: 1000 * n, height: 1000 });

test("accepts a 600 dpi scan of an A3 sheet, upright or rotated", () => {
  expect(pictureRefusal(scan)).toBeUndefined();
  expect(pictureRefusal({ ...scan, orientation: 6 })).toBeUndefined();
  expect(pictureRefusal({ ...scan, format: "jpeg", orientation: 8, chromaSubsampling: "4:4:4" })).toBeUndefined();
});

test("a streamable picture may have 100 million pixels of any depth", () => {
  expect(pictureRefusal({ ...scan, ...megapixels(100), channels: 4, depth: "ushort" })).toBeUndefined();
  expect(pictureRefusal({ ...scan, ...megapixels(100.001) })).toMatch(/more than 100 million pixels: save it smaller/);
});

test("counts an interlaced PNG with its depth, and advises how to save it", () => {
  const interlaced = { ...scan, isProgressive: true };
  expect(pictureRefusal(interlaced)).toBeUndefined();
  expect(pictureRefusal({ ...interlaced, ...megapixels(80) })).toMatch(/save it without interlacing or smaller,/);
  const deep = { ...interlaced, channels: 4, depth: "ushort" } as const;
  expect(pictureRefusal({ ...deep, ...megapixels(27) })).toBeUndefined();
  expect(pictureRefusal({ ...deep, ...megapixels(28) })).toMatch(/without interlacing and with 8 bits per colour/);
});

test("counts a progressive JPEG with 16 bits for each sample", () => {
  const progressive = { ...scan, format: "jpeg", isProgressive: true } as const;
  const subsampled = { ...progressive, chromaSubsampling: "4:2:0" };
  expect(pictureRefusal({ ...subsampled, ...megapixels(55) })).toBeUndefined();
  expect(pictureRefusal({ ...subsampled, ...megapixels(56) })).toMatch(/as a baseline \(not progressive\) JPG/);
  expect(pictureRefusal({ ...progressive, ...megapixels(36), chromaSubsampling: "4:4:4" })).toBeUndefined();
  expect(pictureRefusal({ ...progressive, ...megapixels(37), chromaSubsampling: "4:4:4" })).toMatch(/baseline/);
});

test("counts the rotation of a picture", () => {
  expect(pictureRefusal({ ...scan, ...megapixels(74), orientation: 3 })).toMatch(/save it smaller/);
  expect(pictureRefusal({ ...scan, ...megapixels(40), isProgressive: true, orientation: 6 })).toMatch(/interlacing/);
});

import sharp from "sharp";
import { expect, test } from "vitest";
import { bitPng } from "./png.ts";

test("writes every pixel of a black and white picture", async () => {
  const isDark = (row: number, column: number) => (row * 3 + column) % 4 === 0;
  const { data, info } = await sharp(bitPng(9, 3, isDark))
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 27, height: 27, channels: 1 });
  for (const [place, value] of data.entries()) {
    const [row, column] = [Math.floor(place / 27 / 3), Math.floor((place % 27) / 3)];
    expect(value, `pixel ${place}`).toBe(isDark(row, column) ? 0 : 255);
  }
});

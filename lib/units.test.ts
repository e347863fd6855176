import { expect, test } from "vitest";
import { showBytes } from "./units.ts";

test("sizes are shown in the unit that suits them, of files and quotas alike", () => {
  const sizes = [0, 999, 1000, 310_400, 999_400, 2_440_000, 26_214_400, 1_000_000_000, 1_540_000_000];
  expect(sizes.map((bytes) => showBytes(bytes))).toEqual([
    "0 bytes",
    "999 bytes",
    "1 kB",
    "310 kB",
    "999 kB",
    "2.4 MB",
    "26.2 MB",
    "1 GB",
    "1.5 GB",
  ]);
  expect(showBytes(2_440_000, { tag: "de" })).toBe("2,4 MB");
});

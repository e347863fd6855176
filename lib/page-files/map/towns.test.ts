import { expect, test } from "vitest";
import { nearestTowns, townsWithin } from "./towns.ts";

test.each([
  [53.4808, -2.2426, "Manchester, GB"],
  [51.5072, -0.1276, "London, GB"],
  [48.2082, 16.3738, "Vienna, AT"],
  [-36.8485, 174.7633, "Auckland, NZ"],
  [-16.85, -179.98, /^\d+ km from \w+, FJ$/],
  [0, -30, ""],
  [90, 0, ""],
  [-90, 180, ""],
])("the town nearest to %f, %f is %s", async (latitude, longitude, town) => {
  const townOf = await nearestTowns();
  if (typeof town === "string") expect(townOf({ latitude, longitude })).toBe(town);
  else expect(townOf({ latitude, longitude })).toMatch(town);
});

test("towns of a part of the map come by their size, on both sides of the date line", async () => {
  const england = await townsWithin({ west: -3, south: 51, east: 1, north: 54 });
  expect(england.slice(0, 2).map(({ name }) => name)).toEqual(["London", "Birmingham"]);
  const fiji = await townsWithin({ west: 176, south: -20, east: 184, north: -15 });
  expect(fiji.map(({ name }) => name)).toContain("Suva");
  expect(fiji.every(({ longitude }) => longitude >= 176 && longitude <= 184)).toBe(true);
});

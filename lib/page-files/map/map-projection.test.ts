import { describe, expect, test } from "vitest";
import { drawMap } from "./map-projection.ts";

const manchester = { latitude: 53.4808, longitude: -2.2426, scans: 1, suspicions: 0 };
const at = (latitude: number, longitude: number) => ({
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude,
});

describe("a drawn map", () => {
  test("that shows nothing is the specification's part of north-west England", async () => {
    const { marks, land, grid } = await drawMap([], null);
    expect(marks).toEqual([]);
    expect(land.length).toBeGreaterThan(0);
    expect(grid.parallels.map(({ label }) => label)).toContain("53.6° N");
    expect(grid.meridians.map(({ label }) => label)).toContain("2.2° W");
  });

  test("names towns that have room, few enough for a telephone, and more on wide screens", async () => {
    const { towns } = await drawMap([], null);
    expect(towns[0]).toMatchObject({ name: "Manchester", isExtra: false });
    expect(towns.filter(({ isExtra }) => !isExtra).length).toBeLessThanOrEqual(8);
    expect(towns.length).toBeGreaterThan(5);
    for (const [n, one] of towns.entries())
      for (const other of towns.slice(n + 1))
        expect(Math.abs(one.x - other.x) > 13 || Math.abs(one.y - other.y) > 3, `${one.name} ${other.name}`).toBe(true);
  });

  test("has a single place in its middle, with how far around it that may be", async () => {
    const { marks } = await drawMap([{ ...manchester, accuracy: 1000 }], at(53.4808, -2.2426));
    expect(marks).toMatchObject([{ x: 50, y: 50 }]);
    // 4096 tiles of 256 units round the equator's 40,075 km, at this latitude 0.6 of that.
    expect(marks[0]!.radius).toBe(Math.round((4096 * 256 * 1) / (40_075.017 * Math.cos((53.4808 * Math.PI) / 180))));
  });

  test("keeps all that it shows away from its edges", async () => {
    const bounds = { west: -3.2, south: 53.2, east: -1.9, north: 54.1 };
    const corners = [
      { ...manchester, latitude: 54.1, longitude: -3.2 },
      { ...manchester, latitude: 53.2, longitude: -1.9 },
    ];
    const { marks } = await drawMap(corners, bounds);
    for (const { x, y } of marks) {
      for (const side of [x, y]) {
        expect(side).toBeGreaterThanOrEqual(8);
        expect(side).toBeLessThanOrEqual(92);
      }
    }
  });

  test("joins signs that would overlap on a telephone, with the area and the suspicions of both", async () => {
    const bounds = at(53.4808, -2.2426);
    const near = { ...manchester, latitude: 53.49, scans: 3, suspicions: 1, bounds: at(53.49, -2.2426) };
    const far = { ...manchester, latitude: 53.9, bounds: at(53.9, -2.2426) };
    const { marks } = await drawMap([{ ...manchester, bounds }, far, near], { ...bounds, north: 53.9 });
    expect(marks).toHaveLength(2);
    expect(marks).toMatchObject([
      { scans: 4, suspicions: 1, latitude: 53.49, bounds: { south: 53.4808, north: 53.49 } },
      { scans: 1, latitude: 53.9 },
    ]);
  });

  test("leaves the sea free of land, even if land elsewhere crosses the date line", async () => {
    const norwegianSea = at(67, 3);
    expect((await drawMap([], norwegianSea)).land).toEqual([]);
    const [westOfIt, eastOfIt] = [at(67, 179), at(66, -173)];
    expect((await drawMap([], westOfIt)).land).toHaveLength(1);
    expect((await drawMap([], eastOfIt)).land).toHaveLength(1);
  });

  test("has places on both sides of the date line beside each other, with land and each meridian once", async () => {
    const fiji = [at(-16.85, 179.98), at(-16.8, -179.92)].map(({ south, west }) => ({
      ...manchester,
      latitude: south,
      longitude: west,
    }));
    const { marks, grid, land } = await drawMap(fiji, { west: 178, south: -18, east: 182, north: -16 });
    expect(marks).toHaveLength(1);
    expect(marks[0]!.x).toBeGreaterThan(45);
    expect(marks[0]!.x).toBeLessThan(55);
    expect(marks[0]!.scans).toBe(2);
    expect(land.length).toBeGreaterThan(0);
    const labels = grid.meridians.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(["179° E", "180°", "179° W"]));
    expect(new Set(labels).size).toBe(labels.length);
  });

  test("has a place that its bounds reach beyond the date line where it is, leading to its scans", async () => {
    const [west, east] = [178.44, 359.87];
    const london = { ...at(51.5072, 359.87), west: 357.75 };
    const cell = { ...manchester, longitude: 358.8, scans: 9, bounds: london };
    const { marks } = await drawMap([cell], { west, south: -18.1, east, north: 53.5 });
    expect(marks[0]!.x).toBeGreaterThan(80);
    const turns = (london.east - marks[0]!.bounds.east) / 360;
    expect(turns).toBe(Math.round(turns));
  });

  test("can be drawn of any place, and of marks without a place", async () => {
    for (const [latitude, longitude] of [
      [0, 0],
      [90, 180],
      [-90, -180],
      [1e20, -1e300],
      [Infinity, Infinity],
    ] as const) {
      const { marks, land } = await drawMap([{ ...manchester, latitude, longitude }], at(latitude, longitude));
      expect(marks.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
      expect(land.length).toBeLessThan(100);
    }
    const { land } = await drawMap([], { west: -180, south: -90, east: 180, north: 90 });
    expect(land.length).toBeLessThan(100);
  });
});

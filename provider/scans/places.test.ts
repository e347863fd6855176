import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundsOf } from "#lib/bounds.ts";
import { cellsOf } from "./places.ts";

const point = fc.record({
  latitude: fc.double({ min: -85, max: 85, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  suspicion: fc.boolean(),
});

describe("the cells of a map", () => {
  test("hold every point once, and lie within what the points lie within", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(point, { minLength: 1, maxLength: 200 }), async (points) => {
        const bounds = boundsOf(points)!;
        const cells = await cellsOf(points, bounds);
        const sum = (of: "scans" | "suspicions") => cells.reduce((total, cell) => total + cell[of], 0);
        expect(sum("scans")).toBe(points.length);
        expect(sum("suspicions")).toBe(points.filter(({ suspicion }) => suspicion).length);
        for (const { latitude, longitude, bounds: own } of cells) {
          expect(own.west).toBeGreaterThanOrEqual(bounds.west);
          expect(own.north).toBeLessThanOrEqual(bounds.north);
          // Means are rounded to about a metre.
          expect(longitude).toBeGreaterThanOrEqual(own.west - 0.00001);
          expect(latitude).toBeLessThanOrEqual(own.north + 0.00001);
        }
      }),
    );
  });

  test("are few, however many points there are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(point, { minLength: 1, maxLength: 1000 }), async (points) => {
        expect((await cellsOf(points, boundsOf(points)!)).length).toBeLessThan(2000);
      }),
    );
  });

  test("of very many points leave turns to other requests", async () => {
    const points = fc.sample(point, 20_000);
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await cellsOf(points, boundsOf(points)!);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(3);
  });

  test("separate distant points and join near ones", async () => {
    const at = (latitude: number, longitude: number) => ({ latitude, longitude, suspicion: false });
    const points = [at(53.48, -2.24), at(53.4801, -2.2401), at(53.41, -2.99)];
    expect((await cellsOf(points, boundsOf(points)!)).map(({ scans }) => scans)).toEqual([2, 1]);
  });
});

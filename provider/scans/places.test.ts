import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundsOf, cellsOf } from "./places.ts";

const point = fc.record({
  latitude: fc.double({ min: -85, max: 85, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  suspicion: fc.boolean(),
});

describe("the cells of a map", () => {
  test("hold every point once, and lie within what the points lie within", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 200 }), (points) => {
        const bounds = boundsOf(points)!;
        const cells = cellsOf(points, bounds);
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

  test("are few, however many points there are", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 1000 }), (points) => {
        expect(cellsOf(points, boundsOf(points)!).length).toBeLessThan(2000);
      }),
    );
  });

  test("separate distant points and join near ones", () => {
    const at = (latitude: number, longitude: number) => ({ latitude, longitude, suspicion: false });
    const points = [at(53.48, -2.24), at(53.4801, -2.2401), at(53.41, -2.99)];
    expect(cellsOf(points, boundsOf(points)!).map(({ scans }) => scans)).toEqual([2, 1]);
  });
});

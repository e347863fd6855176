import fc from "fast-check";
import { expect, test } from "vitest";
import { boundsOf, eastOf, nearestTo } from "./bounds.ts";

const point = fc.record({
  latitude: fc.double({ min: -85, max: 85, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

test("bounds have the widest gap between longitudes outside", () => {
  const fiji = [at(-16.85, 179.98), at(-16.8, -179.92), at(-16.7, 179.95), at(-16.9, -179.97)];
  expect(boundsOf(fiji)).toEqual({ west: 179.95, south: -16.9, east: 180.08, north: -16.7 });
  const england = [at(53.48, -2.24), at(51.5, 0.12)];
  expect(boundsOf(england)).toEqual({ west: -2.24, south: 51.5, east: 0.12, north: 53.48 });
  expect(boundsOf([at(1, 179)])).toEqual({ west: 179, south: 1, east: 179, north: 1 });
  expect(boundsOf([])).toBeNull();
});

test("bounds hold each of their points, and none are narrower", () => {
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
      const { west, south, east, north } = boundsOf(points)!;
      for (const { latitude, longitude } of points) {
        expect(latitude >= south && latitude <= north).toBe(true);
        expect(eastOf(west, longitude)).toBeLessThanOrEqual(east + 1e-9);
      }
      const widths = points.map(({ longitude: first }) =>
        Math.max(...points.map(({ longitude }) => eastOf(first, longitude) - first)),
      );
      expect(east - west).toBeLessThanOrEqual(Math.min(...widths) + 1e-9);
    }),
  );
});

test("a longitude is moved to the turn of the world that is in view", () => {
  expect(nearestTo(-180, 179)).toBe(-181);
  expect(nearestTo(180, -179)).toBe(181);
  expect(nearestTo(0, 12)).toBe(12);
  expect(nearestTo(720, 12)).toBe(732);
});

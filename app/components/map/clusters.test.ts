import { expect, test } from "vitest";
import { Clusters } from "./clusters.ts";
import type { MapCell } from "./map-points.ts";

const cell = (longitude: number, scans: number): MapCell => ({
  latitude: 53.5,
  longitude,
  scans,
  suspicions: 1,
  bounds: { west: longitude, east: longitude, south: 53.5, north: 53.51 },
});

test("cells whose signs would overlap are one sign with all their scans, which comes apart nearer", () => {
  const clusters = new Clusters([], [cell(-2.2, 800), cell(-2.25, 40)]);
  const far = clusters.within([-180, -85, 180, 85], 8);
  expect(far.map(({ properties }) => properties)).toMatchObject([
    { scans: 840, suspicions: 2, bounds: { west: -2.25, east: -2.2 } },
  ]);
  const near = clusters.within([-180, -85, 180, 85], 14);
  expect(near.map(({ properties }) => properties.scans).toSorted((a, b) => a - b)).toEqual([40, 800]);
});

test("signs on both sides of the date line are one, drawn on the side in view", () => {
  const clusters = new Clusters([], [cell(179.98, 2), cell(-179.95, 3)]);
  for (const [west, east, side] of [
    [170, 190, 180.02],
    [-190, -170, -179.98],
  ] as const) {
    const [one, ...others] = clusters.within([west, 40, east, 60], 6);
    expect(others).toEqual([]);
    expect(one!.properties).toMatchObject({ scans: 5 });
    expect(one!.geometry.coordinates[0]).toBeCloseTo(side, 1);
    expect(one!.properties.bounds.east - one!.properties.bounds.west).toBeCloseTo(0.07, 5);
  }
});

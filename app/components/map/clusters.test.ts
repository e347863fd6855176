import { expect, test } from "vitest";
import { clustersOf } from "./clusters.ts";
import type { MapCell } from "./map-points.ts";

const cell = (longitude: number, scans: number): MapCell => ({
  latitude: 53.5,
  longitude,
  scans,
  suspicions: 1,
  bounds: { west: longitude, east: longitude, south: 53.5, north: 53.51 },
});

test("cells whose signs would overlap are one sign with all their scans, which comes apart nearer", () => {
  const clusters = clustersOf([], [cell(-2.2, 800), cell(-2.25, 40)]);
  const far = clusters.getClusters([-180, -85, 180, 85], 8);
  expect(far.map(({ properties }) => properties)).toMatchObject([
    { scans: 840, suspicions: 2, bounds: { west: -2.25, east: -2.2 } },
  ]);
  const near = clusters.getClusters([-180, -85, 180, 85], 14);
  expect(near.map(({ properties }) => properties.scans).toSorted((a, b) => a - b)).toEqual([40, 800]);
});

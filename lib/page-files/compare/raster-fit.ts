import type { Fit, Raster } from "./raster.ts";

/**
 * Where a drawing lies that another program has scaled or moved. It is found by how dark rows and columns are, so that it takes
 * little time, and single changes hardly matter.
 */

type Profiles = { columns: Float64Array; rows: Float64Array };

/** Steps of scale and pixels, and how many of each are tried to both sides of the best so far. */
const searches = [
  { scale: 0.0005, scales: 12, shift: 0.5, shifts: 20 },
  { scale: 0.000_05, scales: 10, shift: 0.1, shifts: 10 },
  { scale: 0.000_01, scales: 10, shift: 0.02, shifts: 10 },
];

/** A fit must be so much better than none: a page that was changed may lie where it was. */
const gain = 0.8;
/** Parts of what is dark, below which a page lies where it should: elsewhere, hardly any edge would fit. */
const unmovedPart = 0.03;

/** How `b`, a drawing of the size of `a`, lies compared with it; undefined if it is best left as it is. */
export function fitOf(a: Raster, b: Raster): Fit | undefined {
  const [one, other] = [profilesOf(a), profilesOf(b)];
  const along = (side: keyof Profiles) => (scale: number, shift: number) =>
    costOf(one[side], other[side], scale, shift);
  const [across, down] = [along("columns"), along("rows")];
  const unmoved = across(1, 0) + down(1, 0);
  const dark = sumOf(one.columns) + sumOf(one.rows);
  if (unmoved < unmovedPart * dark) return undefined;
  let best = { scale: 1, x: 0, y: 0, cost: unmoved };
  for (const { scale: step, scales, shift, shifts } of searches) {
    const { scale: middle, x, y } = best;
    for (let n = -scales; n <= scales; n++) {
      const scale = middle + n * step;
      const column = bestShift((at) => across(scale, at), { middle: x, step: shift, steps: shifts });
      const row = bestShift((at) => down(scale, at), { middle: y, step: shift, steps: shifts });
      const cost = column.cost + row.cost;
      if (cost < best.cost) best = { scale, x: column.shift, y: row.shift, cost };
    }
  }
  return best.cost < gain * unmoved ? best : undefined;
}

const sumOf = (profile: Float64Array) => profile.reduce((sum, darkness) => sum + darkness, 0);

function bestShift(
  costAt: (shift: number) => number,
  { middle, step, steps }: Record<"middle" | "step" | "steps", number>,
) {
  let best = { shift: middle, cost: Infinity };
  for (let n = -steps; n <= steps; n++) {
    const shift = middle + n * step;
    const cost = costAt(shift);
    if (cost < best.cost) best = { shift, cost };
  }
  return best;
}

/** How much the profile `b` differs from `a` if it lies at `scale` · p + `shift`. */
function costOf(a: Float64Array, b: Float64Array, scale: number, shift: number): number {
  let cost = 0;
  for (let at = 0; at < a.length; at++) {
    const place = scale * at + shift;
    const before = Math.floor(place);
    const part = place - before;
    cost += Math.abs(a[at]! - (b[before] ?? 0) * (1 - part) - (b[before + 1] ?? 0) * part);
  }
  return cost;
}

/** How dark each column and row is, by the green of its pixels. */
function profilesOf({ data, width, height }: Raster): Profiles {
  const [columns, rows] = [new Float64Array(width), new Float64Array(height)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const darkness = 255 - data[(y * width + x) * 4 + 1]!;
      columns[x]! += darkness;
      rows[y]! += darkness;
    }
  }
  return { columns, rows };
}

/** One measured value with its unit, and the most or least it may be, if that is promised. */
export type Figure = {
  what: string;
  value: number;
  unit: "MB" | "kB gz" | "s" | "/s" | "times" | "requests" | "points" | "documents" | "processes" | "cores" | "ms";
  atMost?: number;
  atLeast?: number;
};

/** How much of what is allowed a figure takes, from 0; more than 1 if its promise is broken. Undefined without one. */
export function shareOf({ value, atMost, atLeast }: Figure): number | undefined {
  const shares = [
    atMost === undefined ? undefined : value <= 0 ? 0 : atMost === 0 ? Infinity : value / atMost,
    atLeast === undefined ? undefined : atLeast / value,
  ].filter((share) => share !== undefined);
  return shares.length > 0 ? Math.max(...shares) : undefined;
}

export const isMet = (figure: Figure): boolean => (shareOf(figure) ?? 0) <= 1;

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** By nearest rank: of twenty, 0.95 is the last but one. */
const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;

export const p95 = (values: number[]): number => percentile(values, 0.95);

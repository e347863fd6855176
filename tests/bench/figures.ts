/** One measured value with its unit, and the most or least it may be, where that is promised. */
export type Figure = {
  what: string;
  value: number;
  unit: "MB" | "kB" | "kB gz" | "s" | "/s" | "times" | "requests" | "points";
  atMost?: number;
  atLeast?: number;
};

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

export const p95 = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;

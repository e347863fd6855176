import { daysInMs } from "#units";

/** `2026-11-19` as `19-11-2026`, as people read it. */
export const dayMonthYear = (date: string) => date.split("-").toReversed().join("-");

/** A date (`YYYY-MM-DD`) some days before another. */
export const daysBefore = (date: string, n: number) =>
  new Date(Date.parse(date) - daysInMs(n)).toISOString().slice(0, 10);

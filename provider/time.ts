/** Lengths of time in milliseconds, as dates are counted in. */

export const seconds = (n: number) => n * 1000;
export const minutes = (n: number) => n * 60_000;
export const hours = (n: number) => minutes(n * 60);
export const days = (n: number) => hours(n * 24);

/** `2026-11-19` as `19-11-2026`, as people read it. */
export const dayMonthYear = (date: string) => date.split("-").toReversed().join("-");

/** A date (`YYYY-MM-DD`) some days before another. */
export const daysBefore = (date: string, n: number) => new Date(Date.parse(date) - days(n)).toISOString().slice(0, 10);

import { daysInMs } from "#lib/units.ts";

/** A day some days from today, as forms take it. */
export const inDays = (days: number) =>
  new Date(Date.now() + daysInMs(days)).toISOString().slice(0, 10).split("-").toReversed().join("-");

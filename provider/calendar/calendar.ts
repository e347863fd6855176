import { LRUCache } from "lru-cache";
import { Temporal } from "temporal-polyfill";
import { minutesInMs } from "#lib/units.ts";
import { isRealDate } from "#lib/dates.ts";

/** Calendar arithmetic. Dates are `YYYY-MM-DD`, time zones IANA names. */

const { Instant, PlainDate } = Temporal;

/** The date at an instant in a time zone. */
export function dateIn(timeZone: string, instant: Date | string): string {
  const minute = Math.floor(new Date(instant).getTime() / minutesInMs(1));
  return dates.memo(`${minute} ${timeZone}`, { context: { timeZone, minute } });
}

/** Cached for the last minutes requested, as a page requests the same one several times. */
const dates = new LRUCache<string, string, { timeZone: string; minute: number }>({
  max: 1000,
  memoMethod: (_, __, { context: { timeZone, minute } }) =>
    zoned(timeZone, new Date(minute * minutesInMs(1)))
      .toPlainDate()
      .toString(),
});

/** The time of day at an instant in a time zone, as `09:14`. */
export const timeIn = (timeZone: string, instant: Date | string): string =>
  zoned(timeZone, instant).toPlainTime().toString({ smallestUnit: "minute" });

/** An instant in a time zone with its offset, as `21-11-2026 09:14:07 +00:00`. */
export function instantIn(timeZone: string, instant: Date | string): string {
  const at = zoned(timeZone, instant);
  return `${dayMonthYear(at.toPlainDate().toString())} ${at.toPlainTime().toString({ smallestUnit: "second" })} ${at.offset}`;
}

const zoned = (timeZone: string, instant: Date | string) =>
  Instant.fromEpochMilliseconds(new Date(instant).getTime()).toZonedDateTimeISO(timeZone);

/** The instant (ISO-8601, UTC) some milliseconds before another. */
export const ago = (instant: Date, ms: number): string => new Date(instant.getTime() - ms).toISOString();

/** The instant (ISO-8601, UTC) at which a date begins in a time zone. */
export const startOfDay = (timeZone: string, date: string): string =>
  new Date(PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds).toISOString();

/** The instants at which a date begins and ends in a time zone; a text that is no date gets a range without instants. */
export function dayBounds(timeZone: string, date: string): { begin: string; end: string } {
  if (!isRealDate(date)) return { begin: "~", end: "" };
  // Instants of five-digit years would sort before all others.
  const next = date < "9999-12-31" ? addDays(date, 1) : date;
  return { begin: startOfDay(timeZone, date), end: startOfDay(timeZone, next) };
}

/** A date some days later, or earlier if `days` is negative. */
export const addDays = (date: string, days: number): string => PlainDate.from(date).add({ days }).toString();

/** A date some months later; of a shorter month the last day. */
export const addMonths = (date: string, months: number): string => PlainDate.from(date).add({ months }).toString();

/**
 * A date later by the time between `from` and `to`: by months if these are whole ones, otherwise by days. `to` may be
 * the last day of a period: a lease from 19 November to 18 November is one of a year.
 */
export function laterByPeriod(date: string, from: string, to: string): string {
  const start = PlainDate.from(from);
  for (const slack of [0, 1]) {
    const { months, days } = start.until(addDays(to, slack), { largestUnit: "month" });
    if (months < 1 || days !== 0) continue;
    return PlainDate.from(date).add({ days: slack }).add({ months }).subtract({ days: slack }).toString();
  }
  return PlainDate.from(date).add(start.until(to)).toString();
}

/** `2026-11-19` as `19-11-2026`, as people read it. */
export const dayMonthYear = (date: string): string => date.split("-").toReversed().join("-");

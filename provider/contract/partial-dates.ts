import { isRealDate } from "#lib/dates.ts";
import { isoDate } from "./fields.ts";

/** A date filter: days from one to another, or a part of the date as it is shown. */
export type DateFilter = { from: string; to: string } | { part: string };

/** A day, a month or a year as a range; any other text, such as `23-11`, as a part. `/` and `.` count as `-`. */
export function parseDateFilter(text: string): DateFilter {
  const day = isoDate(text);
  if (isRealDate(day)) return { from: day, to: day };
  const part = text.trim().replace(/[/.]/g, "-");
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(reordered(part)) ?? [];
  // Dates are compared as texts, so that the last day of any month will do.
  return year ? { from: `${year}-${month ?? "01"}-01`, to: `${year}-${month ?? "12"}-31` } : { part };
}

/** `11-2026` as `2026-11`. */
const reordered = (part: string) => part.replace(/^(\d{2})-(\d{4})$/, "$2-$1");

/** Whether a text can be a date or a part of one. */
export function isDateFilter(text: string): boolean {
  const filter = parseDateFilter(text);
  return "from" in filter || (/^[\d-]{1,9}$/.test(filter.part) && /\d/.test(filter.part));
}

/** Whether a date `YYYY-MM-DD` that is shown as `DD-MM-YYYY` matches a filter. */
export function matchesDate(iso: string, text: string): boolean {
  const filter = parseDateFilter(text);
  if ("from" in filter) return iso >= filter.from && iso <= filter.to;
  return iso.split("-").toReversed().join("-").includes(filter.part);
}

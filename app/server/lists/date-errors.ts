import { isoDate, isRealDate } from "#provider/contract/fields.ts";

/** What is wrong with the dates that a list is filtered by, by filter. */
export function dateErrors({ date, date_from, date_to }: Record<string, string>): Record<string, string> {
  const unreadable = Object.entries({ date, date_from, date_to })
    .filter(([, written]) => written && !isRealDate(isoDate(written)))
    .map(([name]) => [name, "Enter day, month and year, like 19-11-2026"]);
  if (unreadable.length > 0) return Object.fromEntries(unreadable);
  const isReversed = date_from && date_to && isoDate(date_to) < isoDate(date_from);
  return isReversed ? { date_to: "This is before the first date: enter that or a later one" } : {};
}

import { isRealDate } from "#lib/dates.ts";
import { dateFormat, numberFormat } from "#lib/messages/formats.ts";
import { tagOf } from "#lib/messages/languages.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";

/** Formats of values (`docs/look.md` section 7). */

const tag = tagOf(staffLanguage);

/** `2026-11-19` as `19-11-2026`; any other text unchanged. */
export function showDate(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso) ?? [];
  return day ? `${day}-${month}-${year}` : iso;
}

/** The date `YYYY-MM-DD` of an instant in a time zone; any other text unchanged. */
export const dayOf = (instant: string, timeZone: string): string =>
  isInstant(instant) ? dateFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date(instant)) : instant;

/** A date without a time of day is not an instant, nor is a day that no calendar has. */
const isInstant = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T/.test(text) && isRealDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));

/** An instant as `21-11-2026 10:02` in a time zone; a date as a date, any other text unchanged. */
export function showInstant(instant: string, timeZone: string): string {
  if (!isInstant(instant)) return showDate(instant);
  const parts = dateFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "short" });
  return parts.format(new Date(instant)).replace(",", "").replaceAll("/", "-");
}

/** An instant as `2026-11-21 10:02` in a time zone, the order of dates on alerts; any other text unchanged. */
export const showInstantYearFirst = (instant: string, timeZone: string): string =>
  isInstant(instant) ? `${dayOf(instant, timeZone)} ${showInstant(instant, timeZone).slice(-5)}` : instant;

/** `2026-11` as `November 2026`; any other text unchanged. */
export function showMonth(month: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  return dateFormat(tag, { timeZone: "UTC", month: "long", year: "numeric" }).format(new Date(`${month}-01`));
}

/** `1,200` */
export const showNumber = (number: number): string => numberFormat(tag).format(number);

/** Pounds as `£1,500.00`; with `whole`, `£40`. */
export const showPounds = (pounds: number, { whole = false } = {}): string =>
  numberFormat(tag, {
    style: "currency",
    currency: "GBP",
    ...(whole && { trailingZeroDisplay: "stripIfInteger" }),
  }).format(pounds);

/** The entry of a word that may be another provider's own one, as `constructor`, which objects have from elsewhere. */
export const entryOf = <Entry>(entries: Readonly<Record<string, Entry>>, word: string): Entry | undefined =>
  Object.hasOwn(entries, word) ? entries[word] : undefined;

/** A word of the contract, as an action, a kind or a field's name, with a capital. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Degrees to about a metre; empty if unknown. */
export const showDegrees = (degrees: number | null): string =>
  degrees === null ? "" : String(Number(degrees.toFixed(5)));

import { isRealDate } from "../../dates.ts";
import { fold } from "../../text.ts";

/** Dates as documents write them, in the languages of the house. */

const locales = "en en-GB en-AU de de-AT fr es pt pt-BR it pl uk tr ar-EG ar-SY ar-MA hi zh".split(" ");

/** The month (from 1) by its name or abbreviation; a name that two languages use for different months is left out. */
const months = new Map<string, number>();
for (const locale of locales) {
  for (const month of ["long", "short"] as const) {
    for (const day of [{}, { day: "numeric" }] as const) {
      const format = new Intl.DateTimeFormat(locale, { ...day, month, calendar: "gregory", timeZone: "UTC" });
      for (let n = 1; n <= 12; n++) {
        const parts = format.formatToParts(Date.UTC(2026, n - 1, 1));
        const name = fold(parts.find(({ type }) => type === "month")!.value).replace(/\.$/, "");
        if (!/\d/.test(name)) months.set(name, [n, undefined].includes(months.get(name)) ? n : 0);
      }
    }
  }
}

const year = String.raw`((?:19|20)\d\d)`;
const day = String.raw`(\d{1,2})(?:st|nd|rd|th|er|o|a|\.)?`;
const word = String.raw`([\p{L}\p{M}]+)\.?`;
/** A weekday or place before a date, and what some languages put between. */
const before = String.raw`^(?:[\p{L}\p{M}.' -]{2,30}, ?)?(?:(?:den|dnia|le|el|il|on|the|em|a|в|від) )?`;
/** The word for a year, and a time of day, which may follow. */
const after = String.raw`(?: ?(?:r|p|р|roku|року)\.?)?(?:[ ,t]+\d{1,2}:\d\d(?::\d\d)?(?: ?(?:[ap]m|z|utc))?)?[.,]?$`;
const pattern = (text: string) => new RegExp(before + text + after, "u");

const yearFirst = pattern(String.raw`${year}(?:([-/.]) ?(\d{1,2})\2 ?(\d{1,2})| ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日)`);
const named = pattern(`${day}[ /-]*(?:de |do |day of |of )?${word},?[ /-]*(?:de |del |do )?${year}`);
const monthFirst = pattern(`${word} ${day},? ${year}`);
const numeric = pattern(String.raw`(\d{1,2}) ?([./-]) ?(\d{1,2})\2 ?${year}`);

/** Whether slashes and hyphens stand between day and month, or month and day; undefined if that is not known. */
export type DayOrder = "day first" | "month first" | undefined;

/** The date `YYYY-MM-DD` that is all of a text; two if day and month may be either way; none if it is no date. */
export function datesIn(text: string, order?: DayOrder): string[] {
  const folded = fold(text).trim();
  const [, y, , m, d, chineseMonth = m, chineseDay = d] = yearFirst.exec(folded) ?? [];
  if (y) return real(y, chineseMonth!, chineseDay!);
  const [, namedDay, namedMonth, namedYear] = named.exec(folded) ?? [];
  if (namedDay) return real(namedYear!, months.get(namedMonth!), namedDay);
  const [, firstMonth, secondDay, lastYear] = monthFirst.exec(folded) ?? [];
  if (firstMonth) return real(lastYear!, months.get(firstMonth), secondDay!);
  const [, one, sign, other, thatYear] = numeric.exec(folded) ?? [];
  if (!one) return [];
  const dayFirst = order === "month first" && sign !== "." ? [] : real(thatYear!, other!, one);
  const american = order === "day first" || sign === "." ? [] : real(thatYear!, one, other!);
  return [...new Set([...dayFirst, ...american])];
}

function real(year: string, month: string | number | undefined, day: string): string[] {
  const iso = `${year}-${String(month ?? 0).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isRealDate(iso) ? [iso] : [];
}

/** The order that other dates of the same pages show, as `17/04/2026` does. */
export function orderOf(texts: string[]): DayOrder {
  const pairs = texts.flatMap((text) => [...fold(text).matchAll(/\b(\d{1,2})[/-](\d{1,2})[/-](?:19|20)\d\d\b/g)]);
  const [dayFirst, monthFirst] = [1, 2].map((n) => pairs.some((pair) => Number(pair[n]) > 12));
  return dayFirst === monthFirst ? undefined : dayFirst ? "day first" : "month first";
}

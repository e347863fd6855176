import { dateFromSerial, format, getFormatDateInfo } from "numfmt";
import { daysInMs, daysInSeconds } from "../../units.ts";

/** The text that a cell shows: by its number format, but whole days in ISO 8601 and plain numbers without exponents. */

/** The code of cells without a format. */
export const general = "General";

/** Spreadsheets allow no longer ones. */
const maxCodeCharacters = 255;
/** 31 December 9999 and one. */
const lastDay = 2_958_466;
const daysTo1970 = 25_569;
const daysTo1904 = 1_462;

const decimal = new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: 15 });

/** A number as the cell shows it; undefined if unknown. */
export function shownNumber(value: number, code: string, is1904 = false): string | undefined {
  if (!Number.isFinite(value) || code.length > maxCodeCharacters) return undefined;
  if (isPlain(code)) return decimal.format(value === 0 ? 0 : value);
  try {
    const { year, month, day, hours } = getFormatDateInfo(code);
    // Elapsed time is an amount, which both systems of days count alike.
    const isDate = (year || month || day || hours) && !/\[(h+|m+|s+)\]/i.test(code);
    const serial = isDate && is1904 ? value + daysTo1904 : value;
    if (isDate && !(serial >= 0 && serial < lastDay)) return undefined;
    if (year && month && day) return dayText(serial, hours);
    return format(withoutGeneral(code, value), serial).trim();
  } catch {
    return undefined;
  }
}

/** A text as the cell shows it, which its format may put other words around. */
export function shownText(text: string, code: string): string {
  if (code.length > maxCodeCharacters || code === "@" || (!code.includes("@") && !code.includes(";"))) return text;
  try {
    return format(code, text);
  } catch {
    return text;
  }
}

/** A cell of the type for dates, whose value is written in ISO 8601. */
export function shownDate(text: string, code: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?Z?$/.exec(text.trim()) ?? [];
  const instant = Date.parse(`${day}T${time ?? "00:00"}Z`);
  if (Number.isNaN(instant)) return text.trim();
  return shownNumber(instant / daysInMs(1) + daysTo1970, isPlain(code) ? "yyyy-mm-dd hh:mm" : code);
}

const isPlain = (code: string) => /^(general|@)?$/i.test(code.replace(/\[[^\]]*\]/g, ""));

/** Spreadsheets shorten such numbers to the width of the cell. */
const withoutGeneral = (code: string, value: number) =>
  code.replace(/"[^"]*"|\\.|general/gi, (part) =>
    /^g/i.test(part) ? (Number.isInteger(value) ? "0" : "0.##############") : part,
  );

function dayText(serial: number, hasTime: boolean) {
  const rounded = Math.round(serial * daysInSeconds(1)) / daysInSeconds(1);
  const two = (part: number) => `${part}`.padStart(2, "0");
  const [year, month, day, hour, minute, second] = dateFromSerial(hasTime ? rounded : Math.floor(rounded));
  const date = `${year}-${two(month)}-${two(day)}`;
  if (hour + minute + second === 0) return date;
  return `${date} ${two(hour)}:${two(minute)}${second ? `:${two(second)}` : ""}`;
}

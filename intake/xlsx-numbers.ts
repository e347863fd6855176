import { daysInMs, daysInSeconds, secondsInMs } from "#units";

/** How a spreadsheet's numbers read as text: dates in ISO 8601, others without exponents or the noise of floats. */

export type NumberFormat = { isDate: boolean; isTime: boolean; digits: number };

const builtInDates = [
  [14, 17],
  [22, 22],
  [27, 36],
  [50, 58],
] as const;
const builtInTimes = [
  [18, 22],
  [45, 47],
] as const;
const isWithin = (ranges: readonly (readonly [number, number])[], id: number) =>
  ranges.some(([from, to]) => id >= from && id <= to);

/** A format by its number and, unless it is built in, its code, such as `dd/mm/yyyy`. */
export function numberFormat(id: number, code?: string): NumberFormat {
  if (code === undefined) return { isDate: isWithin(builtInDates, id), isTime: isWithin(builtInTimes, id), digits: 0 };
  const [positive = ""] = code.replace(/"[^"]*"|\\.|[_*]./g, "").split(";");
  // Elapsed time is an amount.
  const isElapsed = /\[(h+|m+|s+)\]/i.test(positive);
  const letters = isElapsed ? "" : positive.replace(/\[[^\]]*\]|general/gi, "");
  const isTime = /[hs]/i.test(letters);
  return {
    isDate: /[yd]/i.test(letters) || (/m/i.test(letters) && !isTime),
    isTime,
    // Post codes keep their zeros so.
    digits: /^0+$/.test(code) ? code.length : 0,
  };
}

const decimal = new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: 15 });

/** A number as text; undefined for one that is none. */
export function numberText(value: number, { isDate, isTime, digits }: NumberFormat, is1904: boolean) {
  if (!Number.isFinite(value)) return undefined;
  if ((isDate || isTime) && value >= 0 && value < lastDay) return dateText(value, isDate, isTime, is1904);
  const text = decimal.format(value === 0 ? 0 : value);
  return Number.isInteger(value) && value >= 0 ? text.padStart(digits, "0") : text;
}

/** 31 December 9999 and one. */
const lastDay = 2_958_466;
const daysTo1970 = 25_569;
const daysTo1904 = 1_462;
/** Spreadsheets count a 29 February 1900, which was none. */
const phantomDay = 60;

function dateText(value: number, isDate: boolean, isTime: boolean, is1904: boolean) {
  let day = Math.floor(value);
  let seconds = Math.round((value - day) * daysInSeconds(1));
  if (seconds === daysInSeconds(1)) [day, seconds] = [day + 1, 0];
  const time = new Date(secondsInMs(seconds)).toISOString().slice(11, 19);
  if (!isDate) return time;
  const serial = is1904 ? day + daysTo1904 : day < phantomDay ? day + 1 : day;
  const date = new Date(daysInMs(serial - daysTo1970)).toISOString().slice(0, 10);
  return isTime && seconds > 0 ? `${date}T${time}` : date;
}

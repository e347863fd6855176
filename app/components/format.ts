/** How values are shown (`docs/look.md` section 7). */

/** `2026-11-19` as `19-11-2026`; anything that is no such date as it is. */
export function showDate(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso) ?? [];
  return day ? `${day}-${month}-${year}` : iso;
}

/** The date `YYYY-MM-DD` of an instant, in a time zone; anything that is no instant as it is. */
export const dayOf = (instant: string, timeZone: string): string =>
  isInstant(instant)
    ? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date(instant))
    : instant;

/** Dates without a time of day are no instants. */
const isInstant = (written: string) => /^\d{4}-\d{2}-\d{2}T/.test(written) && !Number.isNaN(Date.parse(written));

/** An instant as `21-11-2026 10:02`, in a time zone; anything that is no instant as a date, or as it is. */
export function showInstant(instant: string, timeZone: string): string {
  if (!isInstant(instant)) return showDate(instant);
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "short" });
  return parts.format(new Date(instant)).replace(",", "").replaceAll("/", "-");
}

/** `2026-11` as `November 2026`; anything that is no such month as it is. */
export function showMonth(month: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  const written = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "long", year: "numeric" });
  return written.format(new Date(`${month}-01`));
}

/** Pounds as `£1,500.00`; in whole pounds as `£40` where asked for. */
export const showPounds = (pounds: number, { whole = false } = {}): string =>
  new Intl.NumberFormat("en-GB", {
    style: "currency",
    currency: "GBP",
    ...(whole && { trailingZeroDisplay: "stripIfInteger" }),
  }).format(pounds);

/** `2.4 MB`, `310 kB`: in the same megabytes as the limits, of 1024 kB. */
export function showBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} kB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** A quota or what is used of one, in the units that it is set in: `0.3 MB`, `1,000 MB`. */
export const showMegabytes = (bytes: number): string => `${rounded(bytes / 1e6)} MB`;

/** `0.3 GB`, `100 GB`; under a tenth in MB. */
export const showGigabytes = (bytes: number): string =>
  bytes < 1e8 ? showMegabytes(bytes) : `${rounded(bytes / 1e9)} GB`;

const rounded = (number: number) => number.toLocaleString("en-GB", { maximumFractionDigits: 1 });

/** `1 page`, `6 pages`. */
export const showCount = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** Degrees of a position to about a metre; empty where it is not known. */
export const showDegrees = (degrees: number | null): string =>
  degrees === null ? "" : String(Number(degrees.toFixed(5)));

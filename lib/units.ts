/** Lengths of time and sizes, with the unit of the result in each name. */

export const secondsInMs = (n: number) => n * 1000;
export const minutesInMs = (n: number) => secondsInMs(n * 60);
export const hoursInMs = (n: number) => minutesInMs(n * 60);
export const daysInMs = (n: number) => hoursInMs(n * 24);

export const minutesInSeconds = (n: number) => n * 60;
export const hoursInSeconds = (n: number) => minutesInSeconds(n * 60);
export const daysInSeconds = (n: number) => hoursInSeconds(n * 24);

/** Megabytes of 1024 kB: upload limits, so that what any program calls 25 MB passes a limit of 25 MB. */
export const mebibytesInBytes = (n: number) => n * 1024 * 1024;

/** Megabytes of 1000 kB, in which quotas are set and shown. */
export const decimalMegabytesInBytes = (n: number) => n * 1_000_000;

/** A size in words, in units of 1000: `310 kB`, `2.4 MB`, `1.5 GB`; in English unless `tag` names another language. */
export function showBytes(bytes: number, { tag = "en-GB" } = {}): string {
  if (bytes < 1000) return inUnits(bytes, "byte", { tag, unitDisplay: "long" });
  if (bytes < 999_500) return inUnits(bytes / 1e3, "kilobyte", { tag, maximumFractionDigits: 0 });
  return bytes < 999_950_000
    ? inUnits(bytes / 1e6, "megabyte", { tag, maximumFractionDigits: 1 })
    : inUnits(bytes / 1e9, "gigabyte", { tag, maximumFractionDigits: 1 });
}

const inUnits = (size: number, unit: string, { tag, ...rest }: Intl.NumberFormatOptions & { tag: string }) =>
  size.toLocaleString(tag, { style: "unit", unit, ...rest });

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Seconds as `5 min`, `4 h` or `3 days`. */
export function durationInWords(seconds: number): string {
  if (seconds < minute) return "less than 1 min";
  if (seconds < 1.5 * hour) return `${Math.round(seconds / minute)} min`;
  if (seconds < 2 * day) return `${Math.round(seconds / hour)} h`;
  return `${Math.round(seconds / day).toLocaleString("en-GB")} days`;
}

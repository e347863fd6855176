import { t } from "#lib/messages/staff.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Seconds as `5 min`, `4 h` or `3 days`. */
export function durationInWords(seconds: number): string {
  if (seconds < minute) return t("alerts.durationWords.lessThanAMinute");
  if (seconds < 1.5 * hour) return t("alerts.durationWords.minutes", { count: Math.round(seconds / minute) });
  if (seconds < 2 * day) return t("alerts.durationWords.hours", { count: Math.round(seconds / hour) });
  return t("alerts.durationWords.days", { count: Math.round(seconds / day) });
}

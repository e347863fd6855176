/** Dates of a document that are nearly always slips: far ahead, or over already. Without zod, which would make pages large. */

/** How many days ahead a creation date is usual. */
const usualDays = 31;

type Dates = { date?: string | undefined; expire_type?: string | undefined; expire_date?: string | undefined };
export type DoubtfulDate = { field: "date" | "expire_date"; date: string };

/** `today` and all dates as `YYYY-MM-DD`; others are never doubtful. */
export function doubtfulDates({ date = "", expire_type, expire_date = "" }: Dates, today: string): DoubtfulDate[] {
  const daysUntil = (day: string) => (Date.parse(day) - Date.parse(today)) / 86_400_000;
  return [
    ...(daysUntil(date) > usualDays ? [{ field: "date", date } as const] : []),
    ...(expire_type !== "never" && daysUntil(expire_date) < 0
      ? [{ field: "expire_date", date: expire_date } as const]
      : []),
  ];
}

/** A month's days by week from Monday, empty outside of it, and the months beside it; months as `YYYY-MM`. */
export function gridOf(month: string) {
  const [year, number] = month.split("-").map(Number) as [number, number];
  const at = (day: number, months = 0) => new Date(Date.UTC(year, number - 1 + months, day));
  const iso = (date: Date) => date.toISOString().slice(0, 10);
  const lead = (at(1).getUTCDay() + 6) % 7;
  const count = at(0, 1).getUTCDate();
  const cells = Array.from({ length: Math.ceil((lead + count) / 7) * 7 }, (_, index) => {
    const day = index - lead + 1;
    return day >= 1 && day <= count ? iso(at(day)) : "";
  });
  const weeks = Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
  return { weeks, previous: iso(at(1, -1)).slice(0, 7), next: iso(at(1, 1)).slice(0, 7) };
}

export type MonthGrid = ReturnType<typeof gridOf>;

/** A text that is a month; undefined for anything else. */
export const monthOf = (text: string | null): string | undefined =>
  /^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(text ?? "") ? text! : undefined;

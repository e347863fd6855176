import { isoDate, isRealDate } from "#provider/contract/fields.ts";

/** Error messages for invalid dates in a list's URL, by the filter's name. */
export function dateErrors({ searchParams }: URL): Record<string, string> {
  const dayIn = (name: string) => isoDate(searchParams.get(name) ?? "");
  const given = ["date", "date_from", "date_to"].filter((name) => dayIn(name) !== "");
  const malformed = given.filter((name) => !isRealDate(dayIn(name)));
  const errors = Object.fromEntries(malformed.map((name) => [name, "Enter day, month and year, like 19-11-2026"]));
  const isRange = given.includes("date_from") && given.includes("date_to") && malformed.length === 0;
  return isRange && dayIn("date_to") < dayIn("date_from")
    ? { date_to: "This is before the first date: enter that or a later one" }
    : errors;
}

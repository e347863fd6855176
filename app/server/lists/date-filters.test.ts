import { expect, test } from "vitest";
import { dateErrors } from "./date-filters.ts";

const errorsOf = (filters: Record<string, string>) =>
  dateErrors(new URL(`http://desk/list?${new URLSearchParams(filters)}`));

test("dates that lists understand have no errors, written either way", () => {
  expect(errorsOf({ date: "19-11-2026", date_from: "2026-11-19", date_to: "19/11/2026", name: "x" })).toEqual({});
  expect(errorsOf({})).toEqual({});
});

test.each(["tomorrow", "31-02-2026", "2026-13-01", "11-2026"])("%s is not a day of the calendar", (date) => {
  expect(errorsOf({ date })).toEqual({ date: "Enter day, month and year, like 19-11-2026" });
});

test("the last date is not before the first", () => {
  expect(errorsOf({ date_from: "20-11-2026", date_to: "2026-11-19" })).toHaveProperty("date_to");
});

import { expect, test } from "vitest";
import { dateErrors } from "./date-filters.ts";

const errorsOf = (filters: Record<string, string>) =>
  dateErrors(new URL(`http://desk/list?${new URLSearchParams(filters)}`));

test("dates that lists understand have no errors, written either way", () => {
  expect(errorsOf({ date: "19-11-2026", date_from: "2026-11-19", date_to: "19/11/2026", name: "x" })).toEqual({});
  expect(errorsOf({})).toEqual({});
});

test.each(["tomorrow", "31-02-2026", "2026-13-01"])("%s is neither a day of the calendar nor a part of one", (date) => {
  expect(errorsOf({ date })).toEqual({ date: expect.stringContaining("a part of one") });
});

test.each(["11-2026", "2026", "23-11", "23/11", "2026-1"])("%s is a part of a date, but no end of a range", (part) => {
  expect(errorsOf({ date: part })).toEqual({});
  expect(errorsOf({ date_from: part })).toEqual({ date_from: "Enter day, month and year, like 19-11-2026" });
});

test("the last date is not before the first", () => {
  expect(errorsOf({ date_from: "20-11-2026", date_to: "2026-11-19" })).toHaveProperty("date_to");
});

import { expect, test } from "vitest";
import { doubtfulDates } from "./doubtful-dates.ts";

const doubtful = (dates: Parameters<typeof doubtfulDates>[0]) =>
  doubtfulDates(dates, "2026-11-19").map(({ field }) => field);

test("a creation date more than a month ahead is doubtful, and an expire date that is over", () => {
  expect(doubtful({ date: "2062-12-31", expire_type: "date", expire_date: "2026-11-18" })).toEqual([
    "date",
    "expire_date",
  ]);
  expect(doubtful({ date: "2026-12-20", expire_type: "date", expire_date: "2026-11-19" })).toEqual([]);
});

test("no other date is doubtful: unreadable, empty, or of a document that never expires", () => {
  expect(doubtful({ date: "tomorrow", expire_date: "" })).toEqual([]);
  expect(doubtful({ date: "2026-11-19", expire_type: "never", expire_date: "2020-01-01" })).toEqual([]);
});

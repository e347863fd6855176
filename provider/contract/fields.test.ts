import { expect, test } from "vitest";
import { date, flag, isoDate, requiredText } from "./fields.ts";

test("a date of another age is told apart from one that can't be read", () => {
  const refused = date("creation date").safeParse("01-01-0001");
  expect(refused.error?.issues.map(({ message }) => message)).toEqual(["Enter a creation date from 1900 on"]);
});

test.each([
  ["19-11-2026", "2026-11-19"],
  ["9/1/2026", "2026-01-09"],
  ["19.11.2026", "2026-11-19"],
  [" 2026-11-19 ", "2026-11-19"],
])("the date %s is understood", (written, iso) => {
  expect(isoDate(written)).toBe(iso);
  expect(date("date").parse(written)).toBe(iso);
});

test.each(["31-02-2026", "2026-13-01", "tomorrow", "19-11-26", "2026-11-19T10:00"])("%s is no date", (written) => {
  expect(date("creation date").safeParse(written).error?.issues[0]?.message).toBe(
    "Enter the creation date as day, month, year, like 19-11-2026",
  );
});

test("text is trimmed and composed, and must be there where it is required", () => {
  const name = requiredText("name", 10);
  expect(name.parse("  E\u0301mile ")).toBe("Émile");
  for (const nothing of ["", "   ", undefined]) {
    expect(name.safeParse(nothing).error?.issues[0]?.message).toBe("Enter the name");
  }
});

test.each(["a\u0000b", "a\u0007b", "a\ud800b"])("text with %j can't be kept", (text) => {
  expect(requiredText("name", 10).safeParse(text).success).toBe(false);
});

test("yes and no are understood as forms and JSON write them", () => {
  for (const yes of [true, "1", "on", "true"]) expect(flag.parse(yes)).toBe(true);
  for (const no of [false, "0", "", undefined]) expect(flag.parse(no)).toBe(false);
  expect(flag.safeParse("perhaps").success).toBe(false);
});

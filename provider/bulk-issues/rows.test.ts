import { expect, test } from "vitest";
import { whatForm } from "#tests/fixtures/bulk-issues.ts";
import { type Common, readRow, storedProblems } from "./rows.ts";

const plan = { common: { ...whatForm, email: "a@c.example" } as never as Common, columns: ["Name", "Issued", "Until"] };
const mapping = ["name", "date", "expire_date"];

test.each([
  ["2026-10-14 09:30", "2026-10-14"],
  ["2026-10-14T09:30:00", "2026-10-14"],
  ["2026-10-14T00:00:00.000Z", "2026-10-14"],
  ["2026-10-14T23:30:00+02:00", "2026-10-14"],
  ["14/10/2026 09:30", "2026-10-14"],
  ["14.10.2026 9:30:15", "2026-10-14"],
  ["14-10-2026 9:30 PM", "2026-10-14"],
  ["14/10/2026", "2026-10-14"],
])("the day of %s is %s", (cell, day) => {
  const { draft, problems } = readRow({ ...plan, mapping }, ["Ada", cell, "2027-10-14T00:00:00"]);
  expect(problems).toBeUndefined();
  expect(draft).toMatchObject({ date: day, expire_date: "2027-10-14" });
});

test.each(["2026-10-14 later", "9:30", "2026-13-14 09:30", "14 October 2026 09:30"])("%s is no day", (cell) => {
  const { problems } = readRow({ ...plan, mapping }, ["Ada", cell, ""]);
  expect(problems).toEqual([
    { column: "Issued", message: "Enter the creation date as day, month, year, like 19-11-2026" },
  ]);
});

test("texts other than dates keep their time", () => {
  const { draft } = readRow({ ...plan, mapping: ["name", "custom", ""] }, ["Ada", "2026-10-14 09:30", ""]);
  expect(draft!.custom_fields).toEqual([{ name: "Issued", value: "2026-10-14 09:30" }]);
});

test("of many problems of a row the first ones are stored, and how many more there are", () => {
  const problems = Array.from({ length: 200 }, (_, n) => ({ column: `C${n}`, message: "wrong" }));
  const stored = JSON.parse(storedProblems(problems)) as typeof problems;
  expect([stored.length, stored[0], stored.at(-1)!.message]).toEqual([
    21,
    problems[0],
    "180 more problems: correct these first",
  ]);
  expect(JSON.parse(storedProblems(problems.slice(0, 20)))).toEqual(problems.slice(0, 20));
});

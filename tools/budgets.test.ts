import { join } from "node:path";
import { expect, test } from "vitest";
import { budgetsOf, over } from "./budgets.ts";

const budgets = budgetsOf(join(import.meta.dirname, ".."));

test.each(budgets)("$rule: at most $limit", (budget) => {
  expect(budget.measured.length).toBeGreaterThan(0);
  expect(over(budget)).toEqual([]);
});

test("a share may be larger than the limit", () => {
  const measured = Array.from({ length: 20 }, (_, n) => ({ name: `file-${n}`, value: n + 1 }));
  const lines = { rule: "lines", limit: 18, measured };
  expect(over({ ...lines, share: 0.9 })).toEqual([]);
  expect(over({ ...lines, share: 0.95 })).toEqual(["20 file-19", "19 file-18"]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sumBudgets, over } from "./budgets.ts";

test("a share may be larger than the limit", () => {
  const measured = Array.from({ length: 20 }, (_, n) => ({ name: `file-${n}`, value: n + 1 }));
  const lines = { rule: "lines", limit: 18, measured };
  expect(over({ ...lines, share: 0.9 })).toEqual([]);
  expect(over({ ...lines, share: 0.95 })).toEqual(["20 file-19", "19 file-18"]);
});

test("lines of source, lines of tests and words of documents are counted apart, and a file of 251 lines is too long", () => {
  const root = mkdtempSync(join(tmpdir(), "sealdesk-lines-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const files = { "a.ts": 251, "app/b.tsx": 250, "app/b.test.ts": 300, "tests/c.ts": 400, "node_modules/d.ts": 999 };
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), "\n".repeat(lines));
  }
  writeFileSync(join(root, "README.md"), "Three plain words\n");
  const [source, tests, documents, beyond] = sumBudgets(root);
  expect([source, tests, documents].map((budget) => budget!.measured[0]!.value)).toEqual([501, 700, 3]);
  expect(over(beyond!)).toEqual(["1 a.ts"]);
});

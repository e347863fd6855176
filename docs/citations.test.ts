import { globSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const sources = globSync("{app,commands,intake,page-files,provider,samples,storage,tests,tools}/**/*.{ts,tsx,css}", {
  cwd: root,
});

test("every paper that a comment cites is in the repository", () => {
  const missing = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const cited = [...text.matchAll(/[\w./-]+\.md\b/g)].map(([paper]) => paper);
    return cited.filter((paper) => !existsSync(join(root, paper))).map((paper) => `${file}: ${paper}`);
  });
  expect(missing).toEqual([]);
});

test("the specification's sections that comments cite exist", () => {
  const headings = readFileSync(join(root, "docs/specification.md"), "utf8");
  const sections = new Set([...headings.matchAll(/^## (\d+)\./gm)].map(([, section]) => section));
  const missing = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const cited = [...text.matchAll(/docs\/specification\.md`?,? sections? (\d+)(?: and (\d+))?/g)];
    return cited.flatMap(([, ...numbers]) => numbers.filter((n) => n && !sections.has(n)).map((n) => `${file}: ${n}`));
  });
  expect(missing).toEqual([]);
});

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reference } from "#tools/reference.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the reference is what the code says: node tools/reference.ts", () => {
  expect(reference).not.toContain("undefined");
  expect(read("docs/reference.md")).toBe(reference);
});

test("every log line that the operator's guide explains is in the code", () => {
  const section = read("docs/running.md").split("\n## Logs\n")[1]!;
  const explained = [...section.matchAll(/^- ((?:`[^`]+`(?:,\s+)?)+):/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, message]) => message!),
  );
  const code = globSync("{app,commands,lib,provider}/**/*.{ts,tsx}", { cwd: root }).map(read).join("\n");
  expect(explained.length).toBeGreaterThan(30);
  expect(explained.filter((message) => !code.includes(message))).toEqual([]);
});

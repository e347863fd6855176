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
  const text = read("docs/running/failures.md").replace(/^```sh$[^]*?^```$/gm, "");
  const explained = [...text.matchAll(/`([a-zA-Z'][^`]* [^`]*)`/g)]
    .map(([, message]) => message!.replace(/\s+/g, " "))
    // Of commands, and a line of one.
    .filter((message) => !/^(sealdesk|systemctl|note:) ?/.test(message));
  const code = globSync("{app,commands,lib,provider}/**/*.{ts,tsx}", { cwd: root }).map(read).join("\n");
  expect(explained.length).toBeGreaterThan(30);
  expect(explained.filter((message) => !code.includes(message))).toEqual([]);
});

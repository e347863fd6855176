import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name).toSorted();

const schema = read("lib/config.ts").split("const settings = z.object({")[1]!.split("\n});")[0]!;
const settings = namesIn(schema, /^ {2}([A-Z][A-Z0-9_]+): /gm);

test("the README describes every setting, and no other", () => {
  const section = read("README.md").split("\n## Configuration\n")[1]!.split("\n## ")[0]!;
  const firstCells = [...section.matchAll(/^\| (`[^|]+)/gm)].map(([, cell]) => cell).join();
  expect(namesIn(firstCells, /`([A-Z0-9_]+)`/g)).toEqual(settings);
});

test(".env.example has every setting, and no other", () => {
  expect(namesIn(read(".env.example"), /^#?([A-Z0-9_]+)=/gm)).toEqual(settings);
});

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

test("rows are looked up by the ids of a list by isAmong alone, as SQLite reads whole tables for a hundred given one by one", () => {
  const files = globSync("{provider,commands,app,storage}/**/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(500);
  const oneByOne = /id", "in", (ids|documents|several|some|\w+Ids)\)/;
  expect(files.filter((file) => oneByOne.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});

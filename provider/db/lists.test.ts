import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const files = globSync("{provider,commands,app,lib/storage}/**/*.ts", { cwd: root });

/** The files of the programs that have a text. */
const having = (text: RegExp) => files.filter((file) => text.test(readFileSync(join(root, file), "utf8")));

test("rows are looked up by the ids of a list by isAmong alone, as SQLite reads whole tables for a hundred given one by one", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(having(/id", "in", (ids|documents|several|some|\w+Ids)\)/)).toEqual([]);
});

test("active users, branches and groups are queried by TRUE alone, as SQLite reads all of them if the 1 is a parameter", () => {
  expect(having(/selectFrom\("users"\)/).length).toBeGreaterThan(20);
  expect(having(/\bactive", "=", (?!TRUE|0|query\.active)/).filter((file) => !file.endsWith(".test.ts"))).toEqual([]);
});

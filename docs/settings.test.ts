import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settings } from "#lib/settings.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");

test("the image's label has the version", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(read("Dockerfile")).toContain(`VERSION=${version}\n`);
});

test(".env.example has every setting, and no other", () => {
  const names = [...read(".env.example").matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name]) => name!);
  expect(names.toSorted()).toEqual(Object.keys(settings.shape).toSorted());
});

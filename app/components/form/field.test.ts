import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Option, withStored } from "./field.tsx";

const branches: Option[] = [{ value: "", label: "No branch" }, "Leeds", { value: "7", label: "Preston" }];

test("a list that has the stored value stays as it is", () => {
  for (const value of ["", "Leeds", "7", undefined]) expect(withStored(branches, value)).toBe(branches);
  const groups = [{ label: "Europe", options: ["Europe/Rome"] }];
  expect(withStored(groups, "Europe/Rome")).toBe(groups);
});

test("a stored value that a list lacks is an option of its own, so that the first one is not taken for it", () => {
  expect(withStored(branches, "York")[0]).toEqual({ value: "York", label: "York (not on the list)" });
  expect(withStored(["QR access"], "Nobody")[0]).toEqual({ value: "Nobody", label: "Nobody (not on the list)" });
});

test("a list without an option for no choice gets one while nothing is stored", () => {
  expect(withStored(["QR access", "Open to all"])[0]).toEqual({ value: "", label: "Choose …" });
});

test("no list is written without a place for a stored value that it lacks", () => {
  const withLists = globSync("app/**/*.tsx").filter((file) => readFileSync(file, "utf8").includes("<select"));
  const count = (file: string, text: string) => readFileSync(file, "utf8").split(text).length;
  const withoutStored = withLists.filter((file) => count(file, "<select") > count(file, "withStored("));
  // An order that no column has is not used, as Default says.
  expect(withoutStored).toEqual(["app/components/list/filters.tsx"]);
});

import { expect, test } from "vitest";
import { safeRedirectPath } from "./safe-redirect.ts";

test("a link may lead to a page of this site, with its query", () => {
  expect(safeRedirectPath("/documents/list?name=lease&page=2")).toBe("/documents/list?name=lease&page=2");
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "",
  "x",
  null,
  ["/"],
])("%j leads home instead", (path) => {
  expect(safeRedirectPath(path)).toBe("/");
});

import { expect, test } from "vitest";
import { permission, reach } from "./permissions.ts";

test.each([
  ["C:R/W/C", { read: "company", write: "company", create: "company" }],
  ["B:R", { read: "branch", write: undefined, create: undefined }],
  ["P:R/W", { read: "personal", write: "personal", create: undefined }],
  ["C:C", { read: "company", write: undefined, create: "company" }],
  ["", { read: undefined, write: undefined, create: undefined }],
] as const)("%j reaches as far as it says", (text, expected) => {
  for (const right of ["read", "write", "create"] as const) expect(reach(text, right)).toBe(expected[right]);
  expect(permission.safeParse(text).success).toBe(true);
});

test.each(["X:R", "C:", "C", "C:R/R", "C:RW", "c:r"])("%j is no permission", (text) => {
  expect(permission.safeParse(text).success).toBe(false);
});

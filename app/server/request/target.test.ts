import { expect, test } from "vitest";
import { pathOf } from "./target.ts";

test.each([
  ["/login", "/login"],
  ["/login?next=/map#here", "/login"],
  ["/LOGIN", "/login"],
  ["/%6cogin", "/login"],
  ["/assets/../login", "/login"],
  ["/assets/%2e%2e/login", "/login"],
  ["/x\\..\\login", "/login"],
  ["//evil.example/login", "//evil.example/login"],
  ["/%E0%A4%A/Login", "/%e0%a4%a/login"],
  [undefined, "/"],
])("%s is read as %s", (url, path) => expect(pathOf(url)).toBe(path));

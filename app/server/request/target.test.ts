import { expect, test } from "vitest";
import { decodable, pathOf } from "./target.ts";

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

test.each([
  ["/v/ABC?number=%E0%A4%A", "/v/ABC?number=%E0%A4%A"],
  ["/v/%C3%A9", "/v/%C3%A9"],
  ["/v/50%", "/v/50%25"],
  ["/V/%E0%A4%A?lang=de", "/V/%25E0%25A4%25A?lang=de"],
  ["/documents/%", "/documents/%"],
])("the address of a code, %s, is taken as %s", (url, taken) => expect(decodable(url)).toBe(taken));

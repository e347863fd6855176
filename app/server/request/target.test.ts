import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { makeReadable, pathOf, unreadableHost } from "./target.ts";

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

type Sent = { url?: string; method?: string; hosts?: string[] };

/** What Express and the router get of a request. */
function readable({ url = "/login", method = "GET", hosts = ["localhost:3000"] }: Sent) {
  const request = { url, method, headers: { host: hosts[0] }, headersDistinct: { host: hosts } };
  makeReadable(request as unknown as IncomingMessage);
  return { url: request.url, method: request.method, host: request.headers.host };
}

test.each([
  ["/v/ABC?number=%E0%A4%A", "/v/ABC?number=%E0%A4%A"],
  ["/v/%C3%A9", "/v/%C3%A9"],
  ["/v/50%", "/v/50%25"],
  ["/V/%E0%A4%A?lang=de", "/V/%25E0%25A4%25A?lang=de"],
  ["/documents/%", "/documents/%25"],
  ["/log/x/tile/0/000%0a", "/log/x/tile/0/000%250a"],
  ["/nothing%E2%80%A8", "/nothing%25E2%2580%25A8"],
])("malformed encodings and line terminators of %s are taken literally", (url, acceptedTarget) =>
  expect(readable({ url }).url).toBe(acceptedTarget),
);

test.each<Sent>([
  { hosts: [] },
  { hosts: ["["] },
  { hosts: ["1.2.3.999"] },
  { hosts: ["localhost:70000"] },
  { hosts: ["localhost:3000", "evil.example"] },
  { url: "http://evil.example/login" },
  { url: "*" },
])("%j comes from a host that is not ours", (target) => {
  const { url, host } = readable(target);
  expect(host).toBe(unreadableHost);
  expect(URL.canParse(`http://${host}${url}`)).toBe(true);
});

test("TRACE, which no Request can be made of, is refused as OPTIONS is", () => {
  expect(readable({ method: "TRACE" }).method).toBe("OPTIONS");
});

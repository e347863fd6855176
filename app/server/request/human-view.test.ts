import { expect, test } from "vitest";
import { isHumanPageView } from "./human-view.ts";

const request = (headers: Record<string, string>, method = "GET") =>
  new Request("http://sealdesk.example/v/X", { method, headers });
const opened = (headers: Record<string, string>, method = "GET") => isHumanPageView(request(headers, method));

const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1";

test("a phone's browser is a visitor; a preview, a prefetch and a request for headers are not", () => {
  expect(opened({ "user-agent": phone })).toBe(true);
  expect(opened({ "user-agent": phone }, "HEAD")).toBe(false);
  expect(opened({ "user-agent": phone, "sec-purpose": "prefetch;prerender" })).toBe(false);
  expect(opened({ "user-agent": phone, purpose: "prefetch" })).toBe(false);
  expect(opened({ "user-agent": phone, "sec-fetch-dest": "document" })).toBe(true);
  expect(opened({ "user-agent": phone, "sec-fetch-dest": "image" })).toBe(false);
  expect(opened({ "user-agent": phone, "sec-fetch-dest": "iframe" })).toBe(false);
  for (const robot of [
    "WhatsApp/2.24.1 A",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.5.0",
  ]) {
    expect(opened({ "user-agent": robot }), robot).toBe(false);
  }
});

test("the data of a page that scripts open counts if the page has scripts, and a prefetch of it never does", () => {
  const fetched = { "user-agent": phone, "sec-fetch-dest": "empty" };
  expect(opened(fetched)).toBe(false);
  expect(isHumanPageView(request(fetched), { byScripts: true })).toBe(true);
  expect(isHumanPageView(request({ ...fetched, "sec-purpose": "prefetch" }), { byScripts: true })).toBe(false);
});

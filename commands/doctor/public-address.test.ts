import { expect, test } from "vitest";
import { readConfig } from "#lib/config.ts";
import { daysInMs } from "#lib/units.ts";
import { version } from "../../package.json";
import { addressFinding, certificateFinding, proxiesFinding, type Reply } from "./public-address.ts";

const secret = "2f8c1b0e5d7a49c6a3e1f0d9b8c7a6e5";
const settings = (proxies: number) =>
  readConfig({
    PUBLIC_URL: "https://sealdesk.example",
    TRUSTED_PROXIES: String(proxies),
    SESSION_SECRET: secret,
    SEAL_SECRET: secret,
  });

function replyWith(forwarded: string[], { host = "sealdesk.example", validForDays = 90, ageDays = 0 } = {}): Reply {
  const validTo = new Date(Date.now() + daysInMs(validForDays));
  return {
    status: 200,
    body: JSON.stringify({ version, host, forwarded, client: "203.0.113.5" }),
    aheadMs: 0,
    certificate: { validFrom: new Date(Date.now() - daysInMs(ageDays)), validTo, fault: undefined },
  };
}

const [forged, client, inner] = ["192.0.2.1", "203.0.113.5", "10.0.0.2"];

test.each([
  ["one that appends", [forged, client], 1],
  ["one that begins the list itself", [client], 1],
  ["two that append", [forged, client, inner], 2],
  ["an outer one that begins the list, and an inner one that appends", [client, inner], 2],
])("counts the proxies by X-Forwarded-For: %s", (_, forwarded, proxies) => {
  expect(proxiesFinding(settings(proxies), replyWith(forwarded))?.state).toBe("ok");
  const low = proxiesFinding(settings(proxies - 1), replyWith(forwarded));
  expect(low).toMatchObject({ state: "fail", detail: expect.stringContaining("share the limits") });
  const high = proxiesFinding(settings(proxies + 1), replyWith(forwarded));
  expect(high).toMatchObject({ state: "fail", detail: expect.stringContaining("can choose their address") });
  expect(high?.advice).toContain(`TRUSTED_PROXIES=${proxies},`);
});

test("a proxy that replaces the Host header is named", () => {
  const finding = addressFinding(settings(1), replyWith([client], { host: "10.0.0.5:3000" }));
  expect(finding).toMatchObject({ state: "fail", detail: expect.stringContaining("as 10.0.0.5:3000 instead of") });
});

test.each([
  ["three months", 90, 0, "ok"],
  ["three months, two weeks before its end", 13, 77, "warn"],
  ["six days", 6, 0, "ok"],
  ["six days, one day before its end", 1, 5, "warn"],
])("a certificate is reported before its end: %s", (_, validForDays, ageDays, state) => {
  expect(certificateFinding(settings(1), replyWith([client], { validForDays, ageDays }))?.state).toBe(state);
});

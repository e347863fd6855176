import { raw } from "../support/raw.ts";
import { expect, test } from "../support/serving.ts";
import { issued, phone } from "../support/visitor.ts";

/** What a network is told that asks for codes without a document, or for too many. */

test.use({ serverEnv: { LOG_LEVEL: "silent", TRUSTED_PROXIES: "1" } });

const headers = { "user-agent": phone, "x-forwarded-for": "192.0.2.9", "accept-language": "de" };

/** A page as one network sees it, and whether it was not rendered for them. */
async function open(url: string) {
  const answer = await raw(url, { headers });
  return { ...answer, text: answer.body.toString(), isKept: "content-length" in answer.headers };
}

test("codes without a document share a page, so that refusing costs less than showing one", async ({ server }) => {
  const mistyped = [await open(`${server.url}/v/4C7H29KD3P172XQ08`), await open(`${server.url}/v/9PQR-29KD`)];
  expect(mistyped.map(({ status, isKept }) => [status, isKept])).toEqual([
    [422, false],
    [422, true],
  ]);
  expect(mistyped[1]!.text).toContain("9PQR-29KD");
  expect(mistyped[1]!.text).not.toContain("4C7H29KD3P172XQ08");
  for (let n = 2; n < 300; n++) await open(`${server.url}/v/9PQR-29KD`);
  const refused = [await open(`${server.url}/v/9PQR-29KD`), await open(`${server.url}/v/4C7H-29KD`)];
  expect(refused.map(({ status, isKept }) => [status, isKept])).toEqual([
    [429, false],
    [429, true],
  ]);
  expect(refused[1]!.text).toContain('href="/v/4C7H-29KD"');
  expect(refused[1]!.text).not.toContain("9PQR-29KD");
  for (const { headers } of refused) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  for (const page of ["file", "newer"]) {
    const { status, headers } = await open(`${server.url}/v/4C7H-29KD/${page}`);
    expect([status, Number(headers["retry-after"]) > 0], page).toEqual([429, true]);
  }
  // Signed codes have their signature's answer as well.
  for (let n = 0; n < 2; n++) expect(await open(`${server.url}/v/4C7H-29KD/123`)).toMatchObject({ isKept: false });
});

test("a report that comes with too many scans is taken, and its visitor thanked", async ({ server }) => {
  const { code } = await issued(server.url);
  for (let n = 0; n < 300; n++) await open(`${server.url}/v/9PQR-29KD`);
  expect(await open(`${server.url}/v/${code}`)).toMatchObject({ status: 429 });
  const answer = await fetch(`${server.url}/v/${code}`, {
    method: "POST",
    headers: { ...headers, origin: server.url },
    body: new URLSearchParams({ intent: "complaint", text: "It was copied" }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Ihre Meldung ist angekommen.")]);
});

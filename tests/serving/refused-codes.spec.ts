import { raw } from "../support/raw.ts";
import { expect, test } from "../support/serving.ts";
import { issued, phone } from "../support/visitor.ts";

/** Responses to a network that requests codes without a document, or too many. */

test.use({ serverEnv: { LOG_LEVEL: "silent", TRUSTED_PROXIES: "1" } });

const headers = { "user-agent": phone, "x-forwarded-for": "192.0.2.9", "accept-language": "de" };

/** A page as one network sees it. */
async function open(url: string) {
  const answer = await raw(url, { headers });
  return { ...answer, text: answer.body.toString() };
}

test("a network that tries many codes without a document is refused on each page of a code", async ({ server }) => {
  for (let n = 0; n < 300; n++) expect((await open(`${server.url}/v/9PQR-29KD`)).status).toBe(422);
  const refused = await open(`${server.url}/v/4C7H-29KD`);
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('href="/v/4C7H-29KD"');
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  for (const page of ["file", "newer"]) {
    const { status, headers } = await open(`${server.url}/v/4C7H-29KD/${page}`);
    expect([status, Number(headers["retry-after"]) > 0], page).toEqual([429, true]);
  }
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

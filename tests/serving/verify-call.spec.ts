import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { signIn } from "../support/sample.ts";
import { expect, test } from "../support/serving.ts";

/** `GET /api/verify/CODE` beside the verification page, which it must not outdo. */

type Facts = Record<string, unknown>;

const getJson = async (url: string, init?: RequestInit) => (await fetch(url, init)).json() as Promise<any>;

/** The codes of the sample's documents, in force and not. */
async function codesOf(url: string): Promise<string[]> {
  const headers = { "content-type": "application/json" };
  const { token } = await getJson(`${url}/api/login`, { method: "POST", headers, body: JSON.stringify(signIn) });
  const authorization = { authorization: `Bearer ${token}` };
  const codes: string[] = [];
  for (const validity of ["in force", "withdrawn", "expired"]) {
    const query = new URLSearchParams({ validity, page: "1", per_page: "2" });
    for (const { id } of await getJson(`${url}/api/documents?${query}`, { headers: authorization })) {
      codes.push((await getJson(`${url}/api/documents/${id}`, { headers: authorization })).code);
    }
  }
  return codes;
}

/** Every text and date in a reply, as pages write them; without the code, and what names no fact of the document. */
function textsOf({ code: _, verdict: __, timezone: ___, ended, replaced_by, log_entry, ...facts }: Facts): string[] {
  const { since } = (ended ?? {}) as Facts;
  const { date: entered } = (log_entry ?? {}) as Facts;
  const texts = [...Object.values(facts), ...Object.values((replaced_by ?? {}) as Facts), since, entered];
  return texts
    .filter((value): value is string => typeof value === "string" && value !== "")
    .map((text) => text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$3-$2-$1"));
}

test("the call tells no more of a document than its verification page", async ({ page, server }) => {
  const codes = await codesOf(server.url);
  expect(codes.length).toBeGreaterThan(3);
  for (const code of codes) {
    const facts = (await getJson(`${server.url}/api/verify/${code}`)) as Facts;
    await page.goto(`/v/${code}`);
    const pageText = await page.locator("body").innerText();
    const texts = textsOf(facts);
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.filter((text) => !pageText.toLowerCase().includes(text.toLowerCase()))).toEqual([]);
  }
});

test("a page of another site reads it, with a request that the browser asks about first", async ({ page, server }) => {
  const [code] = await codesOf(server.url);
  const other = createServer((_, reply) => void reply.setHeader("content-type", "text/html").end("Another site"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const read = await page.evaluate(async (url) => {
    const reply = await fetch(url, { headers: { "content-type": "application/json" } });
    return { body: await reply.json(), left: reply.headers.get("ratelimit") };
  }, `${server.url}/api/verify/${code}`);
  other.close();
  expect(read).toMatchObject({ body: { verdict: "in force" }, left: expect.stringContaining(";r=") });
});

import { randomBytes } from "node:crypto";
import { expect, test as base } from "@playwright/test";
import { type FormClient, signInClient } from "../support/form-client.ts";
import { type Noted, type OtherProvider, otherSignIn, startOtherProvider } from "../support/other-provider.ts";
import { startServer, until } from "../support/server.ts";

/** Files of long lists, from a provider that pages them. */
type Setting = { other: OtherProvider; client: FormClient; listRequests(): number[] };

const listing = "GET /api/documents";

const test = base.extend<object, { setting: Setting }>({
  setting: [
    async ({}, use) => {
      const other = await startOtherProvider();
      const server = await startServer({ env: { PROVIDER_URL: other.url, LOG_LEVEL: "silent" } });
      const usage = { documents: 10_000, pages: 10_000, max_pages: 5000 };
      other.answers.set("GET /api/users", { body: { id: 7, name: "Olive Trent", usage } });
      const client = await signInClient(server.url, otherSignIn);
      /** The pages of the list that the provider was asked for. */
      const listRequests = () =>
        other.requests.filter(({ path }) => path.startsWith("/api/documents?")).map((request) => pageOf(request));
      await use({ other, client, listRequests });
      await server.stop();
      await other.stop();
    },
    { scope: "worker" },
  ],
});

const pageOf = ({ path }: Noted) => Number(new URL(path, "http://provider").searchParams.get("page"));

/** A hundred rows of a list of `total`. */
const part = (total: number, name: string) => (request: Noted) => {
  const first = (pageOf(request) - 1) * 100;
  const length = Math.max(0, Math.min(100, total - first));
  const body = Array.from({ length }, (_, n) => ({ id: first + n + 1, name: `${name} ${first + n + 1}` }));
  return { body, headers: { "x-total-count": String(total) } };
};

test.beforeEach(({ setting: { other } }) => {
  other.requests.length = 0;
});

test("ten thousand rows are exported in order, a hundred at a time", async ({
  setting: { other, client, listRequests },
}) => {
  other.answers.set(listing, part(10_000, "Charter"));
  const file = await (await client.get("/documents/list.csv?name=charter&sort=-name")).text();
  const names = file
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split('","')[0]);
  expect(names).toEqual(Array.from({ length: 10_000 }, (_, n) => `"Charter ${n + 1}`));
  expect(listRequests()).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  for (const { path } of other.requests.filter(({ path }) => path.startsWith("/api/documents?"))) {
    expect(path).toContain("name=charter&status=active%2Cexited&sort=-name");
  }
});

test("rows that move to the next page during an export appear once", async ({ setting: { other, client } }) => {
  other.answers.set(listing, (request) => {
    const { body, headers } = part(250, "Charter")(request);
    // After the first page, three new rows have come in at the front.
    const moved = body.map((row) => ({ ...row, id: row.id - 3, name: `Charter ${row.id - 3}` }));
    return { headers, body: pageOf(request) === 1 ? body : moved };
  });
  const file = await (await client.get("/documents/list.csv")).text();
  const ids = [...file.matchAll(/Charter (\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 247 }, (_, n) => n + 1));
});

test("an export follows a provider's cursors, whatever is added meanwhile", async ({ setting: { other, client } }) => {
  other.answers.set(listing, ({ path }) => {
    const last = Number(new URL(path, "http://provider").searchParams.get("after") ?? 0);
    const body = Array.from({ length: Math.min(100, 250 - last) }, (_, n) => ({
      id: last + n + 1,
      name: `Charter ${last + n + 1}`,
    }));
    const next = last + body.length;
    const link = next < 250 ? { link: `</api/documents?page=2&after=${next}>; rel="next"` } : undefined;
    return { body, headers: { "x-total-count": "200", ...link } };
  });
  const file = await (await client.get("/documents/list.csv")).text();
  const ids = [...file.matchAll(/Charter (\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
});

test("Next and Previous carry the provider's cursors, and a partial search says so", async ({
  setting: { other, client },
}) => {
  const link = '</api/documents?after=further>; rel="next", </api/documents?before=nearer>; rel="prev"';
  const headers = { "x-total-count": "10000", "x-total-is-capped": "1", "x-search-is-partial": "1", link };
  other.answers.set(listing, {
    body: Array.from({ length: 5 }, (_, n) => ({ id: n + 1, name: `Charter ${n}` })),
    headers,
  });
  const html = await (await client.get("/documents/list?name=ch&page=4&after=here")).text();
  expect(html).toContain("the newest 20,000 only; type a third letter to search all");
  expect(html).toContain('href="/documents/list?name=ch&amp;page=5&amp;after=further"');
  expect(html).toContain('href="/documents/list?name=ch&amp;page=3&amp;before=nearer"');
  expect(html).toContain('form="filters" value="10" name="per_page"');
});

test("an export that fails at once is an error page, one that fails later a broken download", async ({
  setting: { other, client, listRequests },
}) => {
  const failsAt = (page: number) => (request: Noted) =>
    pageOf(request) === page ? { status: 500, body: "Whoops" } : part(1000, "Charter")(request);
  other.answers.set(listing, failsAt(1));
  const refused = await client.get("/documents/list.csv");
  expect([refused.status, refused.headers.get("content-type")]).toEqual([502, "text/html; charset=utf-8"]);
  const page = await refused.text();
  expect(page).toContain("The provider reported an internal error.");
  expect(page).toContain("Try again");
  expect(page).toContain('aria-label="Main"');

  // Not before the browser has the file's beginning: a connection that breaks without a byte is another thing.
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
  other.answers.set(listing, async (request) => {
    if (pageOf(request) === 4) await hasBegun;
    return failsAt(4)(request);
  });
  const response = await client.get("/documents/list.csv");
  expect(response.status).toBe(200);
  begin();
  await expect(response.text()).rejects.toThrow();
  expect(Math.max(...listRequests())).toBe(4);
});

test("an export requests only what is read, and stops when the browser leaves", async ({
  setting: { other, client, listRequests },
}) => {
  // Without end, too wide for the buffers on the way, and not to be compressed.
  const names = Array.from({ length: 100 }, () => randomBytes(6000).toString("base64"));
  other.answers.set(listing, (request) => {
    const { body, headers } = part(100_000_000, "Charter")(request);
    return { headers, body: body.map((row, n) => ({ ...row, name: names[n] })) };
  });
  const response = await client.get("/documents/list.csv");
  const reader = response.body!.getReader();
  await reader.read();
  /** While nobody reads, or nobody is there any more, the asking comes to rest. */
  const comesToRest = async () => {
    let before = -1;
    await until(async () => {
      const isAtRest = listRequests().length === before;
      before = listRequests().length;
      for (let round = 0; round < 5; round++) await client.get("/logout");
      return isAtRest && listRequests().length === before;
    });
    return before;
  };
  const unread = await comesToRest();
  expect(unread).toBeLessThan(200);
  await reader.cancel();
  expect(await comesToRest()).toBeLessThanOrEqual(unread + 2);
});

import { connect } from "node:net";
import { expect, test } from "../support/serving.ts";
import { addPages, codeOf, create, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { otherSignIn, startOtherProvider } from "../support/other-provider.ts";
import { asUpload, picture, program } from "../support/page-files.ts";
import { raw } from "../support/raw.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** What a Prometheus sees of a desk at work. */

const METRICS_TOKEN = "5d1c9e70b2a4f386";

test.use({ serverEnv: { METRICS_TOKEN, LOG_LEVEL: "silent" } });

/** Every sample by its name and labels, as they are written. */
async function figuresOf({ url }: TestServer): Promise<Map<string, number>> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await answer.text()).split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [, name, value] = /^(.+) (\S+)$/.exec(line)!;
      return [name!, Number(value)];
    }),
  );
}

/** How much each sample has grown while something was done. */
async function growth(server: TestServer, work: () => Promise<unknown>) {
  const before = await figuresOf(server);
  await work();
  const after = await figuresOf(server);
  return (sample: string) => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
}

test("figures are for whoever bears the token", async ({ server }) => {
  for (const authorization of ["", METRICS_TOKEN, `Basic ${METRICS_TOKEN}`, `Bearer ${METRICS_TOKEN}x`, "Bearer "]) {
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization } });
    expect([answer.status, answer.headers.get("www-authenticate")], authorization).toEqual([401, "Bearer"]);
  }
  const posted = await fetch(`${server.url}/metrics`, { method: "POST", headers: { origin: server.url } });
  expect(posted.status).toBe(404);
});

test("without a token set there is no such page", async () => {
  const server = await startServer({ from: sampleData });
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: "Bearer undefined" } });
  const unknown = await fetch(`${server.url}/no-such-page`);
  const plain = (page: string) => page.replace(/nonce[=-]"?[\w-]+/g, "").replaceAll("no-such-page", "metrics");
  expect(answer.status).toBe(404);
  expect(wordsOf(plain(await answer.text()))).toBe(wordsOf(plain(await unknown.text())));
  await server.stop();
});

/** What a page says, without its markup and scripts. */
const wordsOf = (page: string) => page.replace(/<(script|head)\b.*?<\/\1>/gs, "").replace(/<[^>]+>/g, " ");

test("requests are counted by pattern, however many addresses there are", async ({ server, client }) => {
  const requests = (route: string, method: string, status: number | string) =>
    `sealdesk_http_requests_total{route="${route}",method="${method}",status="${status}"}`;
  const { token } = await signInOverHttp(server.url);
  const grown = await growth(server, async () => {
    for (let n = 1; n <= 5; n++) {
      await client.get(`/documents/${n}`);
      await client.get(`/documents/${n}.data`);
      await client.get(`/nowhere/${n}`);
      await client.get(`/v/0000000000000000${n}`);
      await fetch(`${server.url}/api/documents/${n}`, { headers: { authorization: `Bearer ${token}` } });
    }
    await client.get("/apple-touch-icon.png");
    await client.get("/robots.txt");
    await raw(`${server.url}/%E0%A4%A`);
    await raw(`${server.url}/login`, { method: "PROPFIND" });
  });
  expect(grown(requests("/documents/:id", "GET", 200))).toBe(10);
  expect(grown('sealdesk_http_request_duration_seconds_count{route="/documents/:id",method="GET"}')).toBe(10);
  expect(grown(requests("(unknown)", "GET", 404))).toBe(5);
  expect(grown(requests("/api/documents/:id", "GET", 200))).toBe(5);
  expect(grown(requests("(file)", "GET", 200))).toBe(2);
  expect(grown(requests("(refused)", "GET", 400))).toBe(1);
  expect(grown(requests("(refused)", "other", 405))).toBe(1);
  const routes = [...(await figuresOf(server)).keys()].flatMap((name) => /route="([^"]+)"/.exec(name)?.[1] ?? []);
  expect(new Set(routes.filter((route) => /\d/.test(route)))).toEqual(new Set());
  expect([...(await figuresOf(server)).keys()].join("\n")).not.toMatch(/nowhere|00000000/);
});

test("a request whose asker goes away is counted as such, and none is left in flight", async ({ server }) => {
  const aborted = 'sealdesk_http_requests_total{route="/forgot",method="POST",status="aborted"}';
  const grown = await growth(server, async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("POST /forgot HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nemail=x");
    // It, and the one that asks.
    await expect.poll(async () => (await figuresOf(server)).get("sealdesk_http_requests_in_flight")).toBe(2);
    socket.destroy();
    await expect.poll(async () => (await figuresOf(server)).get(aborted)).toBe(1);
  });
  expect(grown(aborted)).toBe(1);
  expect((await figuresOf(server)).get("sealdesk_http_requests_in_flight")).toBe(1);
});

test("a document's way is seen: files, work on them, calls, queries, the scan and what it raises", async ({
  server,
  client,
}) => {
  const grown = await growth(server, async () => {
    const draft = await startDraft(client, "Counted");
    const file = asUpload(await picture("page.png"));
    await addPages(client, draft, [file]);
    const refused = new FormData();
    refused.set("intent", "add");
    refused.append("files", asUpload(program("page.png")));
    await client.post(`${draft}/pages`, refused);
    const document = await create(client, draft);
    const code = await codeOf(client, document);
    await client.post(document, { intent: "exit" });
    const phone = { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1", "sec-fetch-dest": "document" };
    expect((await fetch(`${server.url}/v/${code}`, { headers: phone })).status).toBe(200);
  });
  expect(grown('sealdesk_uploads_total{to="drafts"}')).toBe(2);
  expect(grown('sealdesk_uploads_total{to="documents"}')).toBe(1);
  expect(grown('sealdesk_upload_bytes_total{to="documents"}')).toBeGreaterThan(500);
  expect(grown('sealdesk_uploads_refused_total{reason="unreadable"}')).toBe(1);
  expect(grown('sealdesk_page_work_duration_seconds_count{work="inspect",outcome="done"}')).toBe(3);
  expect(grown('sealdesk_provider_calls_total{call="storeDocument",status="201"}')).toBe(1);
  expect(grown('sealdesk_provider_call_duration_seconds_count{call="storeDocument"}')).toBe(1);
  expect(grown('sealdesk_database_query_duration_seconds_count{kind="insert"}')).toBeGreaterThan(5);
  expect(grown('sealdesk_database_query_duration_seconds_count{kind="select"}')).toBeGreaterThan(20);
  expect(grown('sealdesk_scans_total{verdict="ended",kept="yes"}')).toBe(1);
  expect(grown('sealdesk_alerts_raised_total{type="Withdrawn document scanned",rule="withdrawn",repeated="no"}')).toBe(
    1,
  );
});

test("too many sign-ins are counted by what limits them", async ({ server, client }) => {
  const form = { email: "somebody@hallam.example", password: "guess" };
  const grown = await growth(server, async () => {
    for (let n = 0; n < 12; n++) await client.anonymous.post("/login", form);
  });
  expect(grown('sealdesk_attempts_refused_total{limit="login_account"}')).toBe(2);
  expect(grown('sealdesk_provider_calls_total{call="login",status="429"}')).toBe(2);
});

test("the process tells its version, memory and the delay of its event loop", async ({ server }) => {
  const figures = await figuresOf(server);
  const names = [...figures.keys()];
  expect(names.find((name) => name.startsWith('sealdesk_build_info{version="0.'))).toBeDefined();
  for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"]) {
    expect(figures.get(name), name).toBeGreaterThan(0);
  }
});

test("calls to another's provider are counted by what became of them", async () => {
  const other = await startOtherProvider();
  const server = await startServer({ env: { METRICS_TOKEN, PROVIDER_URL: other.url, LOG_LEVEL: "silent" } });
  const client = await signInClient(server.url, otherSignIn);
  const grown = await growth(server, async () => {
    other.answers.set("GET /api/documents/101", { status: 500, body: "Oops" });
    await client.get("/documents/101");
    other.answers.set("GET /api/documents/101", { body: "<h1>Maintenance</h1>" });
    await client.get("/documents/101");
    await other.stop();
    await client.get("/documents/101");
  });
  const calls = (call: string, status: string) => `sealdesk_provider_calls_total{call="${call}",status="${status}"}`;
  expect(grown(calls("getDocument", "500"))).toBe(1);
  expect(grown(calls("getDocument", "unreadable"))).toBe(1);
  expect(grown(calls("currentUser", "unreachable"))).toBe(1);
  await server.stop();
});

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, test } from "../support/serving.ts";
import { metricsOf, metricsToken } from "../support/metrics.ts";
import { textOf } from "../support/page-text.ts";
import { addPages, codeOf, create, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { otherSignIn, startOtherProvider } from "../support/other-provider.ts";
import { asUpload, picture, program } from "../support/page-files.ts";
import { raw } from "../support/raw.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";

test.use({ serverEnv: { METRICS_TOKEN: metricsToken, LOG_LEVEL: "silent" } });

/** How much each sample has grown while something was done. */
async function growth(server: TestServer, work: () => Promise<unknown>) {
  const before = await metricsOf(server);
  await work();
  const after = await metricsOf(server);
  return (sample: string) => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
}

test("a dashboard makes at most sixteen statements", async ({ server, client }) => {
  const statementsOf = async (path: string) => {
    const grown = await growth(server, () => client.get(path));
    const kinds = ["select", "other"].map((kind) =>
      grown(`sealdesk_database_query_duration_seconds_count{kind="${kind}"}`),
    );
    return kinds.reduce((sum, count) => sum + count, 0);
  };
  let count = Infinity;
  // Jobs make some meanwhile, more often than not on a busy machine, and each look at the metrics makes two.
  for (let n = 0; n < 30 && count > 16; n++) count = Math.min(count, (await statementsOf("/dashboard")) - 2);
  expect(count).toBeLessThanOrEqual(16);
});

test("metrics are served to requests with the token", async ({ server }) => {
  for (const authorization of ["", metricsToken, `Basic ${metricsToken}`, `Bearer ${metricsToken}x`, "Bearer "]) {
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization } });
    expect([answer.status, answer.headers.get("www-authenticate")], authorization).toEqual([401, "Bearer"]);
  }
  const posted = await fetch(`${server.url}/metrics`, { method: "POST", headers: { origin: server.url } });
  expect(posted.status).toBe(404);
});

test("without METRICS_TOKEN, /metrics is not found", async () => {
  const server = await startServer({ from: sampleData });
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: "Bearer undefined" } });
  const unknown = await fetch(`${server.url}/no-such-page`);
  const plain = (page: string) => page.replace(/nonce[=-]"?[\w-]+/g, "").replaceAll("no-such-page", "metrics");
  expect(answer.status).toBe(404);
  expect(textOf(plain(await answer.text()))).toBe(textOf(plain(await unknown.text())));
  await server.stop();
});

test("requests are counted by route pattern", async ({ server, client }) => {
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
  // With the address that can't be read.
  expect(grown(requests("(unknown)", "GET", 404))).toBe(6);
  expect(grown(requests("/api/documents/:id", "GET", 200))).toBe(5);
  expect(grown(requests("(file)", "GET", 200))).toBe(2);
  expect(grown(requests("(refused)", "other", 405))).toBe(1);
  const routes = [...(await metricsOf(server)).keys()].flatMap((name) => /route="([^"]+)"/.exec(name)?.[1] ?? []);
  expect(new Set(routes.filter((route) => /\d/.test(route)))).toEqual(new Set());
  expect([...(await metricsOf(server)).keys()].join("\n")).not.toMatch(/nowhere|00000000/);
});

test("an aborted request is counted as aborted, and none is left in flight", async ({ server }) => {
  const aborted = 'sealdesk_http_requests_total{route="/forgot",method="POST",status="aborted"}';
  const grown = await growth(server, async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("POST /forgot HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nemail=x");
    // It, and the one for the metrics.
    await expect.poll(async () => (await metricsOf(server)).get("sealdesk_http_requests_in_flight")).toBe(2);
    socket.destroy();
    await expect.poll(async () => (await metricsOf(server)).get(aborted)).toBe(1);
  });
  expect(grown(aborted)).toBe(1);
  expect((await metricsOf(server)).get("sealdesk_http_requests_in_flight")).toBe(1);
});

test("a document is counted on its way: files, page work, calls, queries, the scan and its alert", async ({
  server,
  client,
}) => {
  const raised =
    'sealdesk_alerts_raised_total{type="Withdrawn document scanned",rule="withdrawn",repeated="no",process="worker"}';
  const before = (await metricsOf(server)).get(raised);
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
    await client.post(document, { intent: "exit", reason: "1" });
    const phone = { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1", "sec-fetch-dest": "document" };
    expect((await fetch(`${server.url}/v/${code}`, { headers: phone })).status).toBe(200);
    // The rules look at scans afterwards.
    await until(async () => (await metricsOf(server)).get(raised) !== before, "an alert");
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
  expect(grown('sealdesk_scans_total{verdict="withdrawn",recorded="yes"}')).toBe(1);
  expect(grown(raised)).toBe(1);
});

test("refused sign-ins are counted by limit", async ({ server, client }) => {
  const form = { email: "somebody@hallam.example", password: "guess" };
  const grown = await growth(server, async () => {
    for (let n = 0; n < 12; n++) await client.anonymous.post("/login", form);
  });
  expect(grown('sealdesk_attempts_refused_total{limit="login_account"}')).toBe(2);
  expect(grown('sealdesk_provider_calls_total{call="login",status="429"}')).toBe(2);
});

test("the process reports its version, memory and event loop lag", async ({ server }) => {
  const metrics = await metricsOf(server);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const builds = [...metrics.keys()].filter((name) => name.startsWith("sealdesk_build_info"));
  const labels = `version="${version}",commit="[0-9a-f]{12}",node="${process.versions.node}"`;
  expect(builds).toEqual([expect.stringMatching(new RegExp(`^sealdesk_build_info\\{${labels}\\}$`))]);
  for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"]) {
    expect(metrics.get(name), name).toBeGreaterThan(0);
  }
});

test("calls to an external provider are counted by outcome", async () => {
  const other = await startOtherProvider();
  const server = await startServer({
    env: { METRICS_TOKEN: metricsToken, PROVIDER_URL: other.url, LOG_LEVEL: "silent" },
  });
  const client = await signInClient(server.url, otherSignIn);
  const grown = await growth(server, async () => {
    other.answers.set("GET /api/documents/101", { status: 500, body: "Oops" });
    await client.get("/documents/101");
    other.answers.set("GET /api/users/7", { body: "<h1>Maintenance</h1>" });
    await client.get("/users/view/7");
    await other.stop();
    await client.get("/documents/101");
  });
  const calls = (call: string, status: string) => `sealdesk_provider_calls_total{call="${call}",status="${status}"}`;
  expect(grown(calls("getDocument", "500"))).toBe(1);
  expect(grown(calls("getUser", "unreadable"))).toBe(1);
  expect(grown(calls("currentUser", "unreachable"))).toBe(1);
  await server.stop();
});

import { expect, test } from "@playwright/test";
import { type Span, startCollector } from "../support/collector.ts";
import { addPages, codeOf, signInClient, startDraft } from "../support/form-client.ts";
import { metricsToken, untilJobsAreKnown } from "../support/metrics.ts";
import { otherSignIn, startOtherProvider } from "../support/other-provider.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer } from "../support/server.ts";

/** What a collector gets by OTLP. */

test.describe.configure({ mode: "parallel" });

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${parent}-01`;

const below = (spans: Span[], above: Span): Span[] =>
  spans.filter((span) => span.parent === above.id).flatMap((span) => [span, ...below(spans, span)]);

test("a trace goes from the page to its calls, their statements and the jobs that follow", async () => {
  const collector = await startCollector();
  const secret = "collectors-own-token-58";
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secret}`,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=trial",
    LOG_LEVEL: "info",
    METRICS_TOKEN: metricsToken,
  };
  const server = await startServer({ from: sampleData, env });
  await untilJobsAreKnown(server);
  const client = await signInClient(server.url);
  const list = await fetch(`${server.url}/documents/list?name=Lease`, {
    headers: { cookie: client.cookie, traceparent },
  });
  expect(list.status).toBe(200);
  const draft = await startDraft(client, "Traced lease of Harbour Row");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const created = await client.post(`${draft}/review`, {});
  const code = await codeOf(client, created.headers.get("location")!);
  await fetch(`${server.url}/v/${code}`);
  await expect.poll(() => server.errors()).toContain('"job":"seals","outcome":"done"');
  await server.stop();

  const { spans } = collector;
  const page = spans.find((span) => span.traceId === traceId && span.name === "GET /documents/list")!;
  expect(page).toMatchObject({
    parent,
    attributes: {
      "http.request.method": "GET",
      "http.route": "/documents/list",
      "http.response.status_code": 200,
      "sealdesk.request_id": list.headers.get("x-request-id"),
    },
    resource: { "service.name": "sealdesk", "sealdesk.process": "web", "deployment.environment.name": "trial" },
  });
  const call = spans.find((span) => span.parent === page.id && span.name === "listDocuments")!;
  const [statement] = below(spans, call);
  expect(statement).toMatchObject({ name: "select", attributes: { "db.system.name": "sqlite" } });
  // The same words are in the line of the access log.
  expect(server.output()).toContain(`"traceId":"${traceId}"`);

  const review = spans.find((span) => span.attributes["sealdesk.request_id"] === created.headers.get("x-request-id"))!;
  const job = spans.find((span) => span.name === "job seals" && span.traceId === review.traceId)!;
  expect(job.resource["sealdesk.process"]).toBe("worker");
  expect(below(spans, review)).toContainEqual(job);
  expect(below(spans, job).map(({ name }) => name)).toContain("update");

  expect(new Set(collector.headers)).toEqual(new Set([`Bearer ${secret}`]));
  const sent = JSON.stringify(spans);
  const { email, password } = signIn;
  for (const hidden of [email, password, code, "Harbour Row", "Lease", "127.0.0.1", client.cookie.split("=")[1]!]) {
    expect(sent.includes(hidden), hidden).toBe(false);
  }
  expect(server.output()).not.toContain(secret);
  await collector.stop();
});

test("another provider gets the trace and the request's id, also while traces are off", async () => {
  const other = await startOtherProvider();
  const collector = await startCollector();
  for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }] as Record<string, string>[]) {
    const server = await startServer({ env: { PROVIDER_URL: other.url, ...env } });
    const { cookie } = await signInClient(server.url, otherSignIn);
    other.requests.length = 0;
    const headers = { cookie, traceparent, "x-request-id": "of-the-proxy-1" };
    await fetch(`${server.url}/documents/101`, { headers });
    const received = other.requests.find(({ path }) => path === "/api/documents/101")!;
    expect(received.headers).toMatchObject({
      "x-request-id": "of-the-proxy-1",
      traceparent: expect.stringContaining(`00-${traceId}-`),
    });
    await server.stop();
    const call = collector.spans.find(({ name }) => name === "getDocument");
    if (call) expect(received.headers.traceparent).toBe(`00-${traceId}-${call.id}-01`);
  }
  expect(collector.spans.map(({ name }) => name)).toContain("getDocument");
  await other.stop();
  await collector.stop();
});

test("a collector that is away costs a warning, and no request", async () => {
  const collector = await startCollector();
  await collector.stop();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_TIMEOUT: "500" };
  const server = await startServer({ from: sampleData, env });
  const client = await signInClient(server.url);
  expect((await client.get("/dashboard")).status).toBe(200);
  await expect.poll(() => server.errors(), { timeout: 60_000 }).toContain("traces not sent");
  await server.stop();
});

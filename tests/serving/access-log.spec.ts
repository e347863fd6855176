import { expect, test } from "@playwright/test";
import { addPages, signInClient, startDraft } from "../support/form-client.ts";
import { accessOf, line, linesOf } from "../support/log-lines.ts";
import { metricsToken, untilJobsAreKnown } from "../support/metrics.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";

/** The log of requests, and what follows from them. */

test.describe.configure({ mode: "parallel" });

const uuid = /^[0-9a-f-]{36}$/;

test("each request has a line with time, id, user, route and status, and its reply names the id", async () => {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "info" } });
  const client = await signInClient(server.url);
  const reply = await fetch(`${server.url}/healthz`, { headers: { "x-request-id": "of-the-proxy-1" } });
  expect(reply.headers.get("x-request-id")).toBe("of-the-proxy-1");
  const odd = await fetch(`${server.url}/healthz`, { headers: { "x-request-id": 'a"b'.repeat(99) } });
  const dashboard = await client.get("/dashboard");
  const file = await fetch(`${server.url}/robots.txt`);
  for (const { headers } of [odd, dashboard, file]) expect(headers.get("x-request-id")).toMatch(uuid);
  const find = (id: string | null) => accessOf(server).find(({ requestId }) => requestId === id);
  await expect
    .poll(() => find(dashboard.headers.get("x-request-id")))
    .toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      method: "GET",
      route: "/dashboard",
      status: 200,
      milliseconds: expect.any(Number),
      userId: expect.any(Number),
    });
  expect(find("of-the-proxy-1")).toMatchObject({ route: "/healthz" });
  // Files of the build have none.
  expect(find(file.headers.get("x-request-id"))).toBeUndefined();
  // What React Router's command writes itself is an event.
  expect(await line(server, "library output")).toMatchObject({ output: expect.stringContaining(server.url) });
  await server.stop();
  expect(linesOf(server).filter((one) => "output" in one && one.output === "")).toEqual([]);
});

test("a job that a request caused logs its end with the request's id", async () => {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "info", METRICS_TOKEN: metricsToken } });
  await untilJobsAreKnown(server);
  const client = await signInClient(server.url);
  const draft = await startDraft(client, "Followed");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const created = await client.post(`${draft}/review`, {});
  expect(created.status).toBe(302);
  const requestId = created.headers.get("x-request-id");
  const ofRequest = () => linesOf(server).filter((one) => one.requestId === requestId);
  await expect
    .poll(ofRequest)
    .toContainEqual(expect.objectContaining({ msg: "job ended", job: "seals", outcome: "done" }));
  await server.stop();
});

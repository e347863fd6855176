import { expect, test as base } from "@playwright/test";
import {
  addPages,
  browserCookie,
  type FormClient,
  codeOf,
  create,
  signInClient,
  startDraft,
} from "../support/form-client.ts";
import { startBalancer } from "../support/balancer.ts";
import { samplePostgresAndS3 } from "../support/postgres-s3.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { freePort, startOwnPostgres } from "../support/postgres.ts";
import { startS3 } from "../support/s3.ts";
import { signIn } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";
import { addFiles, next, step } from "../support/wizard.ts";

/** Several web processes on one database and one store; and what happens while either of these is gone. */

type Two = { url: string; servers: TestServer[]; env: Record<string, string>; replace(index: number): Promise<void> };

const test = base.extend<{ two: Two }>({
  two: async ({}, use) => {
    const sample = await samplePostgresAndS3();
    test.skip(!sample, "there is no PostgreSQL here");
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const env = { ...sample!.env, PUBLIC_URL: url, TRUSTED_PROXIES: "1" };
    const servers = await Promise.all([startServer({ env }), startServer({ env })]);
    const ports = servers.map((server) => server.port);
    const balancer = await startBalancer(port, ports);
    const replace = async (index: number) => {
      servers[index] = await startServer({ env });
      ports[index] = servers[index].port;
    };
    await use({ url, servers, env, replace });
    balancer.closeAllConnections();
    balancer.close();
    for (const server of servers) await server.stop();
    await sample!.drop();
  },
});

test.describe.configure({ mode: "parallel" });

test("a session is valid on both machines, and so is its end", async ({ two }) => {
  const [first, second] = two.servers as [TestServer, TestServer];
  const client = await signInClient(two.url);
  const see = async ({ url }: TestServer) =>
    (await fetch(`${url}/dashboard`, { headers: { cookie: client.cookie }, redirect: "manual" })).status;
  expect(await Promise.all([see(first), see(second)])).toEqual([200, 200]);
  await client.post("/logout", {});
  expect(await Promise.all([see(first), see(second)])).toEqual([302, 302]);
});

test("password guesses are counted across machines", async ({ two }) => {
  const { anonymous } = await signInClient(two.url);
  const guess = async () =>
    (await anonymous.post("/login", { email: signIn.email, password: "a wrong password" })).status;
  const statuses: number[] = [];
  while (statuses.length < 30 && statuses.at(-1) !== 429) statuses.push(await guess());
  const [single] = two.servers as [TestServer];
  const answer = await fetch(`${single.url}/login`, {
    method: "POST",
    body: new URLSearchParams(signIn),
    headers: { origin: two.url },
    redirect: "manual",
  });
  expect(statuses.at(-1)).toBe(429);
  expect(answer.status, "the right password is not let in either, at whichever machine").toBe(429);
});

test("a document that both machines seal at once has one sealed PDF", async ({ two }) => {
  const client = await signInClient(two.url);
  const draft = await startDraft(client, "Sealed twice");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const document = await create(client, draft);
  const sealed = await Promise.all(
    two.servers.map(async ({ url }) => {
      const reply = await fetch(`${url}/files${document}/sealed.pdf`, { headers: { cookie: client.cookie } });
      return [reply.status, reply.headers.get("etag"), Buffer.from(await reply.arrayBuffer()).toString("base64")];
    }),
  );
  expect(sealed[0]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{64}"$/), expect.anything()]);
  expect(sealed[1]).toEqual(sealed[0]);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("a wizard survives kills and restarts of machines", async ({ page, two, context }) => {
      const client = await signInClient(two.url);
      await context.addCookies([{ ...browserCookie(client), url: two.url }]);
      const kill = (index: number) => {
        const { process } = two.servers[index]!;
        const ended = new Promise((resolve) => process.once("exit", resolve));
        process.kill("SIGKILL");
        return ended;
      };
      await page.goto(two.url);
      await page.goto(`${two.url}/documents/new`);
      await page.getByLabel("Document type").selectOption("Contract");
      await page.getByLabel("Document subtype").selectOption("Lease");
      await kill(0);
      await next(page);
      await step(page, "Details");
      await page.getByLabel("Document name").fill("Written on two machines");
      await page.getByLabel("Expire type").selectOption("Never");
      await two.replace(0);
      await kill(1);
      await next(page);
      await step(page, "Pages");
      await addFiles(page, javaScriptEnabled, await picture("page.png"));
      await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
      await two.replace(1);
      await kill(0);
      await next(page);
      await step(page, "Review");
      await page.getByRole("button", { name: "Create" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Written on two machines");
      await two.replace(0);
      await expect(page.getByRole("main").locator("img").first()).toHaveJSProperty("complete", true);
    });
  });
}

const everywhere = "the-same-on-all-of-the-machines-of-this-test";

test("machines starting together on an empty database migrate it once", async () => {
  const postgres = await startOwnPostgres();
  test.skip("missing" in postgres, "there is no PostgreSQL here");
  if ("missing" in postgres) return;
  const env = { DATABASE_URL: postgres.url, SESSION_SECRET: everywhere, SEAL_SECRET: everywhere };
  const servers = await Promise.all([1, 2, 3].map(() => startServer({ env })));
  for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await Promise.all(servers.map((server) => server.stop()));
  postgres.stop();
});

/** What a page says while something is gone; by when, `npm run bench` measures. */
async function expectWords(
  answer: () => Promise<Response>,
  what: string,
  words = "can’t reach its database or its files",
) {
  const response = await answer();
  const text = await response.text();
  expect(response.status, what).toBe(503);
  expect(text.includes(words), `${what} says what is wrong`).toBe(true);
}

test("pages report an unreachable database at once, and recover with it", async () => {
  const postgres = await startOwnPostgres();
  test.skip("missing" in postgres, "there is no PostgreSQL here");
  if ("missing" in postgres) return;
  const secret = { SESSION_SECRET: everywhere, SEAL_SECRET: everywhere };
  const server = await startServer({
    env: { DATABASE_URL: postgres.url, LOG_LEVEL: "silent", ...secret },
    seeded: true,
  });
  const client = await signInClient(server.url);
  const draft = await startDraft(client, "Begun before");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const code = await codeOf(client, "/documents/1");
  postgres.crash();
  for (const path of ["/dashboard", "/documents/list", "/documents/1", "/alerts", `${draft}/fields`, "/users/new"]) {
    await expectWords(() => client.get(path), path);
  }
  await expectWords(() => client.anonymous.post("/login", signIn), "sign-in");
  await expectWords(() => client.post(`${draft}/review`, {}), "Create");
  await expectWords(
    () => client.anonymous.get(`/v/${code}`),
    "the public page",
    "This says nothing about the document",
  );
  expect((await client.get("/healthz")).status).toBe(200);
  expect(await (await client.get("/readyz")).json()).toMatchObject({ ready: false, missing: ["database"] });
  postgres.resume();
  await until(async () => (await client.get("/readyz")).status === 200, "the database to be found again");
  expect((await client.get("/dashboard")).status).toBe(200);
  expect(await create(client, draft)).toMatch(/^\/documents\/\d+$/);
  await server.stop();
  postgres.stop();
});

test("pages without files work while the object store is away or hangs, behind a balancer, and nothing is lost", async () => {
  const sample = await samplePostgresAndS3();
  test.skip(!sample, "there is no PostgreSQL here");
  const s3 = await startS3();
  const port = await freePort();
  const env = { ...sample!.env, ...s3.env, LOG_LEVEL: "silent", PUBLIC_URL: `http://localhost:${port}` };
  const servers = await Promise.all([startServer({ env }), startServer({ env })]);
  const ports = servers.map((server) => server.port);
  const balancer = await startBalancer(port, ports, { pollsReadiness: true });
  const client = await signInClient(env.PUBLIC_URL);
  const code = await codeOf(client, "/documents/1");
  const degraded = async () => ((await (await client.get("/readyz")).json()) as { degraded: string[] }).degraded;
  const page = asUpload(await picture("page.png"));
  const draft = await draftWith(client, page);
  await s3.crash();
  await until(async () => (await degraded()).includes("storage"), "the store to be found degraded");
  const readable = ["/dashboard", "/documents/list", "/documents/1", `/v/${code}`, `${draft}/pages`];
  for (const path of readable) expect((await client.get(path)).status, path).toBe(200);
  const form = new FormData();
  form.set("intent", "add");
  form.append("files", page);
  const added = await (await client.post(`${draft}/pages`, form)).text();
  expect(added.includes("can’t reach its database or its files"), "the step with pages says what is wrong").toBe(true);
  await expectWords(() => client.post(`${draft}/review`, {}), "Create");
  const hung = Promise.withResolvers<void>();
  s3.beforeRequest = () => hung.promise;
  await s3.resume();
  for (const path of readable) expect((await client.get(path)).status, path).toBe(200);
  hung.resolve();
  await until(async () => (await degraded()).length === 0, "the files to be found again");
  const document = await create(client, draft);
  expect((await client.get(`/files${document}/pages/1`)).status).toBe(200);
  balancer.closeAllConnections();
  balancer.close();
  for (const server of servers) await server.stop();
  await s3.stop();
  await sample!.drop();
});

async function draftWith(client: FormClient, page: File) {
  const draft = await startDraft(client, "Begun before");
  await addPages(client, draft, [page]);
  return draft;
}

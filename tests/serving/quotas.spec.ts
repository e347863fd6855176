import { ReadableStream } from "node:stream/web";
import { expect, test as base } from "@playwright/test";
import { addPages, type FormClient, create, signInOverHttp, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, pdf, picture } from "../support/page-files.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { inDatabase, storedFiles } from "../support/stored.ts";

/** Quotas: drafts of a user, storage of a company, the disk. What is refused says what to do, and the server stays ready. */

const METRICS_TOKEN = "5d1c9e70b2a4f386";
const limits = { DRAFTS_PER_USER: "25", DRAFT_MB_PER_USER: "5", STORAGE_GB_PER_COMPANY: "0.02" };

const test = base.extend<{ client: FormClient }, { server: TestServer; full: TestServer }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ from: sampleData, env: { ...limits, METRICS_TOKEN, LOG_LEVEL: "silent" } });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  // No disk has as much.
  full: [
    async ({}, use) => {
      const env = { DISK_RESERVE_MB: "100000000", METRICS_TOKEN, LOG_LEVEL: "silent" };
      const server = await startServer({ from: sampleData, env });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  client: async ({ server }, use) => {
    inDatabase(server, (database) => database.exec("delete from draft_files; delete from drafts"));
    await use(await signInClient(server.url));
  },
});

const colleague = { email: "aoife@hallam.example", password: signIn.password };
const isReady = async ({ url }: TestServer) => (await fetch(`${url}/readyz`)).status;
const figure = async ({ url }: TestServer, name: string) => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const line = (await answer.text()).split("\n").find((line) => line.startsWith(`sealdesk_${name} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
};

const type = { document_type: "Contract", document_subtype: "Lease", intent: "next" };
/** What a page says, in one line. */
const wordsOf = async (page: Response) =>
  (await page.text())
    .replace(/<(script|style|head)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ");

/** A page file of about so many bytes. */
async function file(name: string, bytes: number) {
  const content = (await picture(name)).buffer;
  // A PNG may be followed by anything.
  return new File([Uint8Array.from(content), new Uint8Array(bytes)], name, { type: "image/png" });
}

const megabyte = 1_000_000;
const ofPage = 300_000;

function withFiles(...files: File[]) {
  const form = new FormData();
  form.set("intent", "add");
  for (const file of files) form.append("files", file);
  return form;
}

test("a user has so many drafts, each of which can be reached and discarded", async ({ server, client }) => {
  test.setTimeout(120_000);
  for (let n = 0; n < 25; n++) expect((await client.post("/documents/new", type)).status).toBe(302);
  const refused = await client.post("/documents/new", type);
  expect(refused.status).toBe(409);
  expect(await wordsOf(refused)).toContain(
    "You have 25 drafts, which is the most. Finish or discard one in the list of documents first.",
  );
  const list = await (await client.get("/documents/list")).text();
  const drafts = [...list.matchAll(/\/documents\/new\/([\da-f-]{36})\?dialog=discard/g)].map(([, id]) => id);
  expect(new Set(drafts).size).toBe(25);
  expect(list.replaceAll("<!-- -->", "")).toContain("25 of 25 drafts");
  expect(await figure(server, 'quota_refused_total{quota="drafts"}')).toBe(1);
  // Others have their own, and so has who discards one.
  expect((await (await signInClient(server.url, colleague)).post("/documents/new", type)).status).toBe(302);
  expect((await client.post(`/documents/new/${drafts[24]}`, { intent: "discard" })).status).toBe(302);
  expect((await client.post("/documents/new", type)).status).toBe(302);
  expect(await isReady(server)).toBe(200);
});

test("of many drafts begun at once, no more are kept than allowed", async ({ server, client }) => {
  for (let n = 0; n < 22; n++) await client.post("/documents/new", type);
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.post("/documents/new", type)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 302, 302, 409, 409, 409, 409, 409]);
  const count = inDatabase(server, (database) => database.prepare("select count(*) as n from drafts").get());
  expect(count).toEqual({ n: 25 });
});

test("page files beyond the quota are refused, with the draft that takes the most; other buttons go on", async ({
  server,
  client,
}) => {
  const large = await startDraft(client, "The large one");
  await addPages(client, large, [await file("a.png", 3 * megabyte)]);
  const draft = await startDraft(client, "The next one");
  await addPages(client, draft, [await file("b.png", megabyte)]);
  const before = storedFiles(server);
  const advice = "Discard another draft first: “The large one” takes 4 MB";
  const refused = await client.post(`${draft}/pages`, withFiles(await file("c.png", megabyte)));
  expect(refused.status).toBe(422);
  expect(await wordsOf(refused)).toContain(
    `“c.png” can’t be added. Your drafts may take 5 MB together, counting 0.3 MB for each page. ${advice}`,
  );
  expect(storedFiles(server)).toEqual(before);
  expect((await client.post(`${draft}/pages`, withFiles())).status).toBe(422);
  const next = new FormData();
  next.set("intent", "next");
  expect((await client.post(`${draft}/pages`, next)).headers.get("location")).toBe(`${draft}/review`);
  expect(await isReady(server)).toBe(200);
  const id = large.split("/").at(-1);
  await client.post(`/documents/new/${id}`, { intent: "discard" });
  await addPages(client, draft, [await file("c.png", megabyte)]);
});

test("pages count as well as bytes, as each may be drawn", async ({ client }) => {
  const draft = await startDraft(client, "Many pages");
  const many = await client.post(`${draft}/pages`, withFiles(asUpload(await pdf("many.pdf", 20))));
  expect(await wordsOf(many)).toContain("“many.pdf” can’t be added. Your drafts may take 5 MB together");
  await addPages(client, draft, [asUpload(await pdf("few.pdf", Math.floor((4 * megabyte) / ofPage)))]);
});

test("a form whose length is too large is refused before anything of it is stored", async ({ server, client }) => {
  const draft = await startDraft(client, "Too large");
  const before = storedFiles(server);
  const uploads = 'uploads_total{to="drafts"}';
  const stored = (await figure(server, uploads)) ?? 0;
  const refused = await client.post(`${draft}/pages`, withFiles(await file("a.png", 20 * megabyte)));
  expect(await wordsOf(refused)).toContain("Add fewer or smaller files");
  expect([storedFiles(server), (await figure(server, uploads)) ?? 0]).toEqual([before, stored]);
});

test("a form whose length is not told is cut off where it is too large, and nothing of it stays", async ({
  server,
  client,
}) => {
  const draft = await startDraft(client, "Endless");
  const before = storedFiles(server);
  const sent = new Response(withFiles(await file("a.png", 20 * megabyte)));
  const refused = await fetch(`${client.url}${draft}/pages`, {
    method: "POST",
    body: sent.body,
    redirect: "manual",
    headers: { cookie: client.cookie, origin: client.url, "content-type": sent.headers.get("content-type")! },
    duplex: "half",
  } as RequestInit);
  expect(await wordsOf(refused)).toContain("Add fewer or smaller files");
  expect(storedFiles(server)).toEqual(before);
});

test("uploads that come at once share what is left", async ({ server, client }) => {
  const draft = await startDraft(client, "Many at once");
  const forms = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => withFiles(await file(`${n}.png`, 1.5 * megabyte))),
  );
  await Promise.all(forms.map((form) => client.post(`${draft}/pages`, form)));
  const taken = inDatabase(server, (database) =>
    database
      .prepare<[], { bytes: number; pages: number }>("select sum(bytes) as bytes, sum(pages) as pages from draft_files")
      .get(),
  )!;
  expect(taken.pages).toBeGreaterThan(0);
  expect(taken.bytes + taken.pages * ofPage).toBeLessThanOrEqual(5 * megabyte);
  const keys = inDatabase(server, (database) =>
    database
      .prepare<[], { key: string }>("select key from draft_files")
      .all()
      .map(({ key }) => key),
  );
  const pageFiles = storedFiles(server).filter(
    (path) => path.includes(draft.split("/").at(-1)!) && !path.includes(".drawn"),
  );
  expect(pageFiles).toHaveLength(keys.length);
});

test("fields that are too long together are not saved, and say so", async ({ client }) => {
  const draft = await startDraft(client, "Wordy");
  const long = { name: "A".repeat(210_000), version: "2", intent: "next" };
  const refused = await client.post(`${draft}/fields`, long);
  expect(await wordsOf(refused)).toContain("This is too long to be saved: shorten the longest fields.");
  expect((await (await client.get(`${draft}/fields`)).text()).includes("Wordy")).toBe(true);
});

test("who is removed while page files arrive adds none of them", async ({ server, client }) => {
  const { token } = await signInOverHttp(server.url);
  const api = (method: string, path: string, body?: object) =>
    fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const email = `leaver-${process.pid}@hallam.example`;
  const { password } = signIn;
  const user = { name: "Lea Leaver", email, staff: "Accountant", password, password_confirmation: password };
  const { id } = (await (await api("POST", "/users", user)).json()) as { id: number };
  const leaver = await signInClient(server.url, { email, password });
  const draft = await startDraft(leaver, "Left behind");
  const before = storedFiles(server);
  const sent = new Response(withFiles(await file("a.png", megabyte)));
  const bytes = new Uint8Array(await sent.arrayBuffer());
  async function* arriving() {
    yield bytes.subarray(0, 100_000);
    expect((await api("DELETE", `/users/${id}`)).status).toBe(204);
    yield bytes.subarray(100_000);
  }
  const answer = await fetch(`${server.url}${draft}/pages`, {
    method: "POST",
    body: ReadableStream.from(arriving()),
    redirect: "manual",
    headers: { cookie: leaver.cookie, origin: server.url, "content-type": sent.headers.get("content-type")! },
    duplex: "half",
  } as unknown as RequestInit);
  expect(answer.headers.get("location")).toMatch(/^\/login/);
  expect(storedFiles(server)).toEqual(before);
  expect(await client.get("/documents/list").then(({ status }) => status)).toBe(200);
});

test("who looks after users sets no password of one who has drafts, as those are theirs alone", async ({
  server,
  client,
}) => {
  await client.post("/users/group", { name: "Office", users: "C:R/W/C", docs: "C:R/W/C", intent: "save" });
  const { token } = await signInOverHttp(server.url);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const api = (method: string, path: string, body: object, as = headers) =>
    fetch(`${server.url}/api${path}`, { method, headers: as, body: JSON.stringify(body) });
  const group = { name: `Office ${process.pid}`, users: "C:R/W/C", docs: "C:R/W/C" };
  expect((await api("POST", "/access-groups", group)).status).toBe(201);
  const { password } = signIn;
  const secret = { password, password_confirmation: password };
  const add = async (name: string) => {
    const user = { name, email: `${name.toLowerCase()}-${process.pid}@hallam.example`, staff: group.name };
    const { id } = (await (await api("POST", "/users", { ...user, ...secret })).json()) as { id: number };
    return { ...user, id };
  };
  const [peer, office] = [await add("Pia"), await add("Otto")];
  const signedIn = await api("POST", "/login", { email: office.email, password });
  const own = { ...headers, authorization: `Bearer ${((await signedIn.json()) as { token: string }).token}` };
  const change = () => api("PUT", `/users/${peer.id}`, { ...peer, ...secret }, own);
  expect((await change()).status).toBe(200);
  await startDraft(await signInClient(server.url, { email: peer.email, password }), "Not for others");
  const refused = await change();
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("may see or do more than you")]);
});

test("a company at its quota issues nothing more, is told whom to ask, and sees it under Tariffs", async ({
  server,
  client,
}) => {
  test.setTimeout(120_000);
  const draft = await startDraft(client, "One too many");
  await addPages(client, draft, [await file("a.png", 4.5 * megabyte)]);
  const shown = await wordsOf(await client.get("/tariffs"));
  expect(shown).toMatch(
    /Your company’s documents [\d.]+ MB of 20 MB.*Your drafts 1 of 25.*Page files of your drafts 4\.8 MB of 5 MB/,
  );
  expect(await (await client.get("/tariffs")).text()).toMatch(
    /<progress[^>]*max="20000000"[^>]*aria-label="Storage used"/,
  );
  const refused = await client.post(`${draft}/review`, {});
  expect(refused.status).toBe(409);
  expect(await wordsOf(refused)).toMatch(
    /Your company may store 20 MB, and .* Nothing was issued\. Ask an administrator to get more storage/,
  );
  expect(await figure(server, 'quota_refused_total{quota="company"}')).toBeGreaterThan(0);
  expect(await figure(server, 'stored_bytes{of="documents"}')).toBeGreaterThan(0);
  expect(await figure(server, 'stored_bytes{of="drafts"}')).toBeGreaterThan(3 * megabyte);
  expect(await isReady(server)).toBe(200);
  // The draft is there still.
  expect((await client.get(`${draft}/review`)).status).toBe(200);
});

test("below the disk's reserve nothing is uploaded, everything else goes on, and the server stays ready", async ({
  full,
}) => {
  const client = await signInClient(full.url);
  const draft = await startDraft(client, "No room for pages");
  const before = storedFiles(full);
  const refused = await client.post(`${draft}/pages`, withFiles(await file("a.png", 100)));
  expect(await wordsOf(refused)).toContain("There is no room left to keep this. Nothing was changed.");
  const { token } = await signInOverHttp(full.url);
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Helen Marsh", email: signIn.email })) form.set(name, value);
  form.set("image", await file("a.png", 100));
  const headers = { authorization: `Bearer ${token}` };
  const profile = await fetch(`${full.url}/api/profile`, { method: "PUT", body: form, headers });
  expect([profile.status, profile.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(storedFiles(full)).toEqual(before);
  for (const page of ["/dashboard", "/documents/list", "/documents/1", `${draft}/fields`]) {
    expect((await client.get(page)).status, page).toBe(200);
  }
  expect(await isReady(full)).toBe(200);
  expect(await figure(full, 'disk_bytes{kind="reserve"}')).toBe(100_000_000 * 1024 * 1024);
  expect(await figure(full, 'disk_bytes{kind="free"}')).toBeGreaterThan(0);
});

test("a document is issued within the quotas", async ({ server }) => {
  const client = await signInClient(server.url, colleague);
  const draft = await startDraft(client, "Small enough");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  expect(await create(client, draft)).toMatch(/^\/documents\/\d+$/);
});

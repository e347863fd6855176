import { colleague, expect, isReady, limits, megabyte, test } from "../support/quotas.ts";
import { metricsOf } from "../support/metrics.ts";
import { textOf } from "../support/page-text.ts";
import { addPages, asMadeFor, pagesForm, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, paddedPicture, pdf } from "../support/page-files.ts";
import { inDatabase, storedFiles } from "../support/stored.ts";
const ofPage = 300_000;

test.use({ serverEnv: limits });

const chooseType = { document_type: "Contract", document_subtype: "Lease", intent: "next" };
const padded = async (name: string, bytes: number) => asUpload(await paddedPicture(name, bytes));

test("a user has a limited number of drafts and can open and discard each", async ({ server, client }) => {
  test.setTimeout(120_000);
  for (let n = 0; n < 25; n++) expect((await client.post("/documents/new", chooseType)).status).toBe(302);
  const refused = await client.post("/documents/new", chooseType);
  expect(refused.status).toBe(409);
  expect(textOf(await refused.text())).toContain(
    "You have 25 drafts, which is the most. Finish or discard one in the list of documents first.",
  );
  const list = await (await client.get("/documents/list")).text();
  const drafts = [...list.matchAll(/\/documents\/new\/([\da-f-]{36})\?dialog=discard/g)].map(([, id]) => id);
  expect(new Set(drafts).size).toBe(25);
  expect(list.replaceAll("<!-- -->", "")).toContain("25 of 25 drafts");
  expect((await metricsOf(server)).get('sealdesk_quota_refused_total{quota="drafts"}')).toBe(1);
  // Others have their own, and so has who discards one.
  expect((await (await signInClient(server.url, colleague)).post("/documents/new", chooseType)).status).toBe(302);
  expect((await client.post(`/documents/new/${drafts[24]}`, { intent: "discard" })).status).toBe(302);
  expect((await client.post("/documents/new", chooseType)).status).toBe(302);
  expect(await isReady(server)).toBe(true);
});

test("drafts begun at once stay within the limit", async ({ server, client }) => {
  for (let n = 0; n < 22; n++) await client.post("/documents/new", chooseType);
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.post("/documents/new", chooseType)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 302, 302, 409, 409, 409, 409, 409]);
  const count = inDatabase(server, (database) => database.prepare("select count(*) as n from drafts").get());
  expect(count).toEqual({ n: 25 });
});

test("page files beyond the quota are refused, naming the largest draft; other buttons work", async ({
  server,
  client,
}) => {
  const large = await startDraft(client, "The large one");
  await addPages(client, large, [await padded("a.png", 3 * megabyte)]);
  const draft = await startDraft(client, "The next one");
  await addPages(client, draft, [await padded("b.png", megabyte)]);
  const before = storedFiles(server);
  const advice = "Discard another draft first: “The large one” takes 3.3 MB";
  const refused = await client.post(`${draft}/pages`, pagesForm(await padded("c.png", megabyte)));
  expect(refused.status).toBe(422);
  expect(textOf(await refused.text())).toContain(
    `“c.png” can’t be added. Your drafts may take 5 MB together, counting 0.3 MB for each page. ${advice}`,
  );
  expect(storedFiles(server)).toEqual(before);
  expect((await client.post(`${draft}/pages`, pagesForm())).status).toBe(422);
  const next = new FormData();
  next.set("intent", "next");
  expect((await client.post(`${draft}/pages`, next)).headers.get("location")).toBe(`${draft}/review`);
  expect(await isReady(server)).toBe(true);
  const id = large.split("/").at(-1);
  await client.post(`/documents/new/${id}`, { intent: "discard" });
  await addPages(client, draft, [await padded("c.png", megabyte)]);
});

test("pages count towards the quota beside bytes, as each has a thumbnail", async ({ client }) => {
  const draft = await startDraft(client, "Many pages");
  const many = await client.post(`${draft}/pages`, pagesForm(asUpload(await pdf("many.pdf", 20))));
  expect(textOf(await many.text())).toContain("“many.pdf” can’t be added. Your drafts may take 5 MB together");
  await addPages(client, draft, [asUpload(await pdf("few.pdf", Math.floor((4 * megabyte) / ofPage)))]);
});

test("a form with too large a Content-Length is refused before any of it is stored", async ({ server, client }) => {
  const draft = await startDraft(client, "Too large");
  const before = storedFiles(server);
  const uploads = 'sealdesk_uploads_total{to="drafts"}';
  const stored = (await metricsOf(server)).get(uploads) ?? 0;
  const refused = await client.post(`${draft}/pages`, pagesForm(await padded("a.png", 20 * megabyte)));
  expect(textOf(await refused.text())).toContain("Add fewer or smaller files");
  expect([storedFiles(server), (await metricsOf(server)).get(uploads) ?? 0]).toEqual([before, stored]);
});

test("a form without a Content-Length is cut off at the limit, and nothing of it stays", async ({ server, client }) => {
  const draft = await startDraft(client, "Endless");
  const before = storedFiles(server);
  const form = new Response(asMadeFor(await client.pageUser(), pagesForm(await padded("a.png", 20 * megabyte))));
  const refused = await fetch(`${client.url}${draft}/pages`, {
    method: "POST",
    body: form.body,
    redirect: "manual",
    headers: { cookie: client.cookie, origin: client.url, "content-type": form.headers.get("content-type")! },
    duplex: "half",
  } as RequestInit);
  expect(textOf(await refused.text())).toContain("Add fewer or smaller files");
  expect(storedFiles(server)).toEqual(before);
});

test("concurrent uploads share the remaining quota", async ({ server, client }) => {
  const draft = await startDraft(client, "Many at once");
  const forms = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => pagesForm(await padded(`${n}.png`, 1.5 * megabyte))),
  );
  await Promise.all(forms.map((form) => client.post(`${draft}/pages`, form)));
  const usedBytes = inDatabase(server, (database) =>
    database
      .prepare<[], { bytes: number; pages: number }>("select sum(bytes) as bytes, sum(pages) as pages from draft_files")
      .get(),
  )!;
  expect(usedBytes.pages).toBeGreaterThan(0);
  expect(usedBytes.bytes + usedBytes.pages * ofPage).toBeLessThanOrEqual(5 * megabyte);
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

test("fields that are too long together are refused", async ({ client }) => {
  const draft = await startDraft(client, "Wordy");
  const long = { name: "A".repeat(210_000), version: "2", intent: "next" };
  const refused = await client.post(`${draft}/fields`, long);
  expect(textOf(await refused.text())).toContain("This is too long to be saved: shorten the longest fields.");
  expect((await (await client.get(`${draft}/fields`)).text()).includes("Wordy")).toBe(true);
});

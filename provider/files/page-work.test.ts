import { describe, expect, test, vi } from "vitest";
import { metrics } from "#lib/metrics.ts";
import { openPageFiles, type PageFiles } from "#lib/page-files/page-files.ts";
import { blackPng, endlessPdf, tiledPdf } from "#tests/fixtures/page-files.ts";
import { createProvider } from "../provider.ts";
import { afterTests, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { asFile, pngFile } from "#tests/fixtures/files.ts";

// Pages are drawn here: seconds of work, on a busy machine a minute.
vi.setConfig({ testTimeout: 180_000 });

const suite = describe.runIf(hasDatabase());

function opened(...settings: Parameters<typeof openPageFiles>): PageFiles {
  const pageFiles = openPageFiles(...settings);
  afterTests(() => pageFiles.close());
  return pageFiles;
}

/** A company's open document with one PDF, and how its pages are shown to visitors. */
async function withOpenDocument(content: Buffer, pageFiles?: PageFiles) {
  const provider = await testProvider(pageFiles && { pageFiles });
  const { admin, id } = await provider.company();
  const fields = { access_type: "Open to all" };
  const { json: document, status } = await provider.issue(admin.token, fields, [asFile(content, "contract.pdf")]);
  expect(status).toBe(201);
  const page = (number: number, call = provider.call) =>
    call("getOpenPage", { params: { code: document.code, n: 1 }, query: { page: number } });
  return { ...provider, admin, companyId: id, document, page };
}

/** How many drawings were begun by now, whatever became of them. */
async function drawings() {
  const { values } = await metrics.pageWorkSeconds.get();
  return values
    .filter(({ metricName, labels }) => metricName?.endsWith("_count") && labels.work === "draw")
    .reduce((sum, { value }) => sum + value, 0);
}

suite("a page file that unpacks to 800 MB", () => {
  const bomb = () =>
    asFile(blackPng({ width: 10_000, height: 10_000, bits: 16, channels: 4, interlaced: true }), "scan.png");

  test("is refused by its header when a document is issued", async () => {
    const { company, issue } = await testProvider();
    const { admin } = await company();
    const { status, json } = await issue(admin.token, {}, [bomb()]);
    expect([status, json.errors.files]).toEqual([422, [expect.stringMatching(/“scan.png” .* without interlacing/)]]);
  });

  test("is refused as a user's picture", async () => {
    const { company, call } = await testProvider();
    const { admin } = await company();
    const { json: me } = await call("getProfile", { token: admin.token });
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...me, image: bomb() })) {
      body.append(name, value instanceof File ? value : String(value));
    }
    const { status, json } = await call("updateProfile", { token: admin.token, body });
    expect([status, json.errors.image]).toEqual([422, [expect.stringMatching(/more than 25 million pixels/)]]);
  });
});

suite("an open page that can't be drawn", () => {
  test("is refused to visitors and staff with a message", async () => {
    const { call, page, admin, document } = await withOpenDocument(await endlessPdf(5, { inPattern: true }));
    expect((await page(1)).status).toBe(200);
    const refused = await page(2);
    expect([refused.status, refused.json.message]).toEqual([422, "This page can’t be shown."]);
    const thumbnail = { token: admin.token, params: { id: document.id, n: 1 }, query: { page: 2 } };
    const reply = await call("getPageThumbnail", thumbnail);
    expect([reply.status, reply.json.message]).toEqual([
      422,
      expect.stringMatching(/too much memory.*Save the original/),
    ]);
  });

  test("costs its time once, also over restarts and processes", async () => {
    const { page, services, document } = await withOpenDocument(await endlessPdf(5, { inPattern: true }));
    expect((await page(2)).status).toBe(422);
    const before = await drawings();
    expect((await page(2)).status).toBe(422);
    const later = createProvider({ ...services, pageFiles: opened() });
    const url = `http://provider/api/verify/${document.code}/pages/1?page=2`;
    expect((await later.fetch(new Request(url), { clientAddress: "192.0.2.7" })).status).toBe(422);
    expect(await drawings()).toBe(before);
  });

  test("is the last to be tried of its file after three failures", async () => {
    const { page } = await withOpenDocument(await endlessPdf(8, { inPattern: true }));
    for (const number of [2, 3, 4]) expect((await page(number)).status).toBe(422);
    const before = await drawings();
    for (const number of [5, 6, 7, 8, 9]) expect((await page(number)).status).toBe(422);
    expect(await drawings()).toBe(before);
    expect((await page(1)).status).toBe(422);
  });
});

suite("five visitors of pages that never finish", () => {
  test("do not delay uploads of another or the same company", async () => {
    const pageFiles = opened();
    const { page, issue, company, admin } = await withOpenDocument(await tiledPdf(5), pageFiles);
    const other = await company();
    const answered: string[] = [];
    const endless = [2, 3, 4, 5, 6].map(async (number) => {
      const { status } = await page(number);
      answered.push(`endless: ${status}`);
    });
    for (const { token } of [other.admin, admin]) {
      const { status } = await issue(token, {}, [asFile(await pngFile(), "page.png")]);
      answered.push(`upload: ${status}`);
    }
    expect(answered).toEqual(["upload: 201", "upload: 201"]);
    await pageFiles.close();
    await Promise.all(endless);
    expect(answered.slice(2)).toEqual(Array.from({ length: 5 }, () => "endless: 503"));
  });

  test("get 503 when too many wait, and are counted", async () => {
    const few = { tenant: 1, total: 1 };
    const pageFiles = opened({ slots: { staff: { tenant: 9, total: 9 }, background: few, public: few } });
    const { page } = await withOpenDocument(await tiledPdf(2), pageFiles);
    const refusals = async () =>
      (await metrics.pageWorkRefused.get()).values.reduce((sum, { value }) => sum + value, 0);
    const before = await refusals();
    const both = [page(2), page(3)];
    const { status, headers, json } = await Promise.race(both);
    expect([status, headers.get("retry-after"), json.message]).toEqual([
      503,
      "10",
      "This is still being prepared. Try again in a moment.",
    ]);
    expect(await refusals()).toBe(before + 1);
    await pageFiles.close();
    await Promise.all(both);
  });
});

suite("an aborted request for a page", () => {
  test("ends the drawing without an error in the log", async () => {
    const errors: object[] = [];
    const log = { info: () => {}, warn: () => {}, error: (event: object) => void errors.push(event) };
    const pageFiles = opened();
    const { document, services } = await withOpenDocument(await tiledPdf(), pageFiles);
    const provider = createProvider({ ...services, log });
    const abandoned = async () =>
      (await metrics.pageWorkKilled.get()).values.find(({ labels }) => labels.reason === "abandoned")?.value ?? 0;
    const before = await abandoned();
    const leaving = new AbortController();
    const url = `http://provider/api/verify/${document.code}/pages/1?page=2`;
    const answer = provider.fetch(new Request(url, { signal: leaving.signal }), { clientAddress: "192.0.2.7" });
    const isAtWork = async () => (await metrics.pageWorkMemory.get()).values[0]!.value > 0;
    await expect.poll(isAtWork, { timeout: 60_000 }).toBe(true);
    leaving.abort();
    await answer;
    await expect.poll(abandoned, { timeout: 60_000 }).toBe(before + 1);
    expect(errors).toEqual([]);
  });
});

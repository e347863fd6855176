import { describe, expect, test, vi } from "vitest";
import { metrics } from "#lib/metrics.ts";
import { openPageFiles, type PageFiles } from "#lib/page-files/page-files.ts";
import { Requesters } from "#lib/page-files/process/requesters.ts";
import { endlessPdf } from "#tests/fixtures/page-files.ts";
import { drawOpenPages } from "./open-pages.ts";
import { afterTests, hasDatabase, testProvider, type TestProvider } from "#tests/fixtures/provider.ts";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";

// Pages are drawn here: seconds of work, on a busy machine a minute.
vi.setConfig({ testTimeout: 180_000 });

const suite = describe.runIf(hasDatabase());
const open = { access_type: "Open to all" };
const pdf = async (pages: number) => asFile(await pdfFile(...Array.from({ length: pages }, () => 0)), "lease.pdf");

async function issued({ company, issue }: TestProvider, fields: object, file: File) {
  const { admin } = await company();
  const { status, json } = await issue(admin.token, { ...fields }, [file]);
  expect(status).toBe(201);
  return { token: admin.token, document: json, params: { code: json.code as string } };
}

/** How many drawings were begun by now. */
async function drawings() {
  const { values } = await metrics.pageWorkSeconds.get();
  const ofDraw = values.filter(({ metricName, labels }) => metricName?.endsWith("_count") && labels.work === "draw");
  return ofDraw.reduce((sum, { value }) => sum + value, 0);
}

suite("the pages of a document open to all", () => {
  test("are drawn after issuing, so that visitors cause no page work", async () => {
    const provider = await testProvider();
    const { params } = await issued(provider, open, await pdf(3));
    expect((await provider.call("verify", { params })).json.preparing).toBe(true);
    await provider.run("drawings");
    expect((await provider.call("verify", { params })).json.preparing).toBe(false);
    const before = await drawings();
    for (const page of [1, 2, 3]) {
      const { status } = await provider.call("getOpenPage", { params: { ...params, n: 1 }, query: { page } });
      expect(status).toBe(200);
    }
    expect(await drawings()).toBe(before);
  });

  test("are drawn when it is opened later, and not before", async () => {
    const provider = await testProvider();
    const { token, document, params } = await issued(provider, {}, await pdf(2));
    const before = await drawings();
    await provider.run("drawings");
    expect(await drawings()).toBe(before);
    const { users_access_group, document_type, document_subtype, name, email, date, expire_type } = document;
    const same = { users_access_group, document_type, document_subtype, name, email, date, expire_type };
    const body = { ...same, ...open, version: document.version };
    expect((await provider.call("updateDocument", { token, params: { id: document.id }, body })).status).toBe(200);
    expect((await provider.call("verify", { params })).json.preparing).toBe(true);
    await provider.run("drawings");
    expect(await drawings()).toBe(before + 2);
  });

  test("are drawn although one of them can't be", async () => {
    const provider = await testProvider();
    const { params } = await issued(
      provider,
      open,
      asFile(await endlessPdf(1, { plain: 2, inPattern: true }), "lease.pdf"),
    );
    await provider.run("drawings");
    expect((await provider.call("verify", { params })).json.preparing).toBe(false);
    const before = await drawings();
    const page = (number: number) =>
      provider.call("getOpenPage", { params: { ...params, n: 1 }, query: { page: number } });
    expect((await Promise.all([1, 2, 3].map(page))).map(({ status }) => status)).toEqual([200, 200, 422]);
    expect(await drawings()).toBe(before);
  });

  test("are continued by the next run, and companies take turns", async () => {
    const pageFiles = openPageFiles();
    afterTests(() => pageFiles.close());
    const tenants: string[] = [];
    let stopAfter = Infinity;
    const stopping = new AbortController();
    const observed: PageFiles = {
      ...pageFiles,
      async work(requester, use) {
        const { priority, tenant } = requester instanceof Requesters ? requester.best : requester;
        if (priority !== "background") return pageFiles.work(requester, use);
        if (tenants.push(tenant) > stopAfter) stopping.abort();
        return pageFiles.work(requester, use);
      },
    };
    const provider = await testProvider({ pageFiles: observed });
    const first = await issued(provider, open, await pdf(12));
    const second = await issued(provider, open, await pdf(1));
    stopAfter = 11;
    await drawOpenPages(provider.services, stopping.signal);
    const [one, other] = [tenants[0], tenants[10]];
    expect(other).not.toBe(one);
    expect(tenants).toEqual([...Array(10).fill(one), other, one]);
    const isPreparing = async ({ params }: typeof first) => (await provider.call("verify", { params })).json.preparing;
    expect([await isPreparing(first), await isPreparing(second)]).toEqual([true, false]);
    stopAfter = Infinity;
    await provider.run("drawings");
    expect(await isPreparing(first)).toBe(false);
    // The last one of the first run was given up, and those before it are there.
    expect(tenants).toHaveLength(14);
  });

  test("wait for the next run when page work is busy", async () => {
    const none = { tenant: 0, total: 0 };
    const pageFiles = openPageFiles({ slots: { staff: { tenant: 9, total: 9 }, background: none, public: none } });
    afterTests(() => pageFiles.close());
    const provider = await testProvider({ pageFiles });
    const { params } = await issued(provider, open, await pdf(1));
    await provider.run("drawings");
    expect((await provider.call("verify", { params })).json.preparing).toBe(true);
    const visitor = await provider.call("getOpenPage", { params: { ...params, n: 1 } });
    expect([visitor.status, visitor.headers.get("retry-after")]).toEqual([503, "10"]);
  });
});

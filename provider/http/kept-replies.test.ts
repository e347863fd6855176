import { describe, expect, inject, test } from "vitest";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { minutesInMs } from "#lib/units.ts";
import { type CallName, calls } from "../contract/calls.ts";
import type { CallRequest, PageCalls } from "./call-request.ts";
import { keptReplies } from "./kept-replies.ts";
import { JsonReply } from "./replies.ts";

/** What pages read is kept until something is written (`docs/decisions/staff-pages.md`). */
describe.runIf(hasDatabase())("the reply to a page's read", () => {
  const newPage = (): PageCalls => ({ actors: new Map() });

  function read({ provider }: TestProvider, name: CallName, given: Partial<CallRequest>, shared = [newPage()]) {
    const request = new Request("http://provider/api");
    const { signal, url } = request;
    const asked = { params: {}, query: {}, token: undefined, isUncounted: false, signal, url, request, ...given };
    const [page] = shared;
    return provider.callInProcess(calls[name], asked, { clientAddress: "192.0.2.1", ...(page && { page }) });
  }

  const query = { page: "1", per_page: "10" };

  test("is kept while the database is the same", async () => {
    const provider = await testProvider();
    const { token } = (await provider.company()).admin;
    // Other databases of a PostgreSQL server, such as other tests', make versions too.
    await expect
      .poll(async () => {
        const first = await read(provider, "listDocuments", { token, query });
        return (await read(provider, "listDocuments", { token, query })) === first;
      })
      .toBe(true);
  });

  test("shows what any call or process has written since", async () => {
    const provider = await testProvider();
    const { token } = (await provider.company()).admin;
    expect(await read(provider, "listDocuments", { token, query })).toMatchObject({ content: [] });
    const { id } = (await provider.issue(token)).json;
    expect(await read(provider, "listDocuments", { token, query })).toMatchObject({
      content: [{ id, name: "Lease of a hall" }],
    });
    await provider.services.db.updateTable("documents").set({ name: "Renamed" }).where("id", "=", id).execute();
    expect(await read(provider, "listDocuments", { token, query })).toMatchObject({ content: [{ name: "Renamed" }] });
  });

  test("that was read after its page had begun is not shown to pages that begin later", async () => {
    const provider = await testProvider();
    const { token } = (await provider.company()).admin;
    const early = newPage();
    await read(provider, "listBranches", { token }, [early]);
    await provider.issue(token);
    const seen = await read(provider, "listDocuments", { token, query }, [early]);
    const later = await read(provider, "listDocuments", { token, query });
    expect(later).not.toBe(seen);
    expect(later).toMatchObject({ content: [{ name: "Lease of a hall" }] });
  });

  // PostgreSQL's versions are made by other tests too.
  test.runIf(inject("database") === "sqlite")("stays kept while a page that began before a write goes on", async () => {
    const provider = await testProvider();
    const { token } = (await provider.company()).admin;
    const early = newPage();
    await read(provider, "listBranches", { token }, [early]);
    await provider.issue(token);
    const later = await read(provider, "listDocuments", { token, query });
    await read(provider, "listDocuments", { token, query }, [early]);
    expect(await read(provider, "listDocuments", { token, query })).toBe(later);
  });

  test("is not kept for other users, parts of a list, or the next minute", async () => {
    const provider = await testProvider();
    const { admin, id } = await provider.company();
    const { token: colleague } = await provider.user(id, {});
    const { token } = admin;
    const first = await read(provider, "listDocuments", { token, query });
    const others: Partial<CallRequest>[] = [
      { token: colleague, query },
      { token, query: { ...query, page: "2" } },
      { token, query, isUncounted: true },
    ];
    for (const other of others) expect(await read(provider, "listDocuments", other)).not.toBe(first);
    provider.clock.now = new Date(provider.clock.now.getTime() + minutesInMs(1));
    expect(await read(provider, "listDocuments", { token, query })).not.toBe(first);
  });

  test("is refused to a user who has signed out", async () => {
    const provider = await testProvider();
    const { token } = (await provider.company()).admin;
    await read(provider, "listDocuments", { token, query });
    await provider.call("logout", { token });
    expect(await read(provider, "listDocuments", { token, query })).toMatchObject({ status: 401 });
  });

  test("is read anew for pages that change something", async () => {
    const provider = await testProvider();
    const { token } = (await provider.company()).admin;
    const ask = () => read(provider, "listDocuments", { token, query }, []);
    expect(await ask()).not.toBe(await ask());
  });

  test("is kept no longer than there is room, however many different ones are read", async () => {
    const keep = keptReplies({ dataVersion: async () => "the same", now: () => new Date(0) });
    const asked = { params: {}, token: "a token", isUncounted: false } as Omit<CallRequest, "query">;
    const named = (name: string) =>
      keep(calls.listBranches, { ...asked, query: { name } } as CallRequest, newPage(), async () => {
        return new JsonReply("x".repeat(1_000_000), 200);
      });
    const first = await named("first");
    expect(await named("first")).toBe(first);
    for (let n = 0; n < 4; n++) await named(String(n));
    expect(await named("first")).not.toBe(first);
  });

  test("is kept of reads alone", () => {
    for (const call of Object.values(calls)) if ("isKept" in call) expect(call.method).toBe("GET");
  });
});

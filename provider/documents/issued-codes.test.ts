import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { companySigner } from "../seal/keys/signer.ts";
import { refreshStatusLists } from "../seal/status-lists.ts";
import { issuedCodes } from "./issued-codes.ts";
import type { Db } from "../db/tables.ts";

const suite = describe.runIf(hasDatabase());
const days = { issued: "2026-11-21", expires: "2026-11-23" };

/** Calls `onQuery` before each query. */
function watched(db: Db, onQuery: (query: string) => void): Db {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      onQuery(JSON.stringify(node));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return db.withPlugin(plugin);
}

/** A company with documents, some in several copies. */
async function setting(copies: string[]) {
  const provider = await testProvider();
  const { id, admin } = await provider.company();
  for (const count of copies) expect((await provider.issue(admin.token, { copies: count })).status).toBe(201);
  return { ...provider, id };
}

suite("the codes of a company", () => {
  test("are read with two queries a batch, however many documents have copies", async () => {
    const { db, id } = await setting(["3", "1", "2", "4"]);
    let queries = 0;
    const codes = [];
    const counting = watched(db, () => queries++);
    for await (const batch of issuedCodes(counting, id, days)) codes.push(...batch.map(({ code }) => code));
    expect(new Set(codes).size).toBe(10);
    // The last one finds no more documents.
    expect(queries).toBe(3);
  });

  test("are no longer read for a list once the job is stopped, which leaves none that is half made", async () => {
    const { services, db, id } = await setting(["1"]);
    await companySigner(services, id);
    const stop = new AbortController();
    const stopping = watched(db, (query) => {
      if (query.includes('"documents"')) stop.abort();
    });
    await refreshStatusLists({ ...services, db: stopping as typeof db }, stop.signal);
    expect(stop.signal.aborted).toBe(true);
    expect(await db.selectFrom("status_lists").selectAll().execute()).toEqual([]);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { companyWithLists, idsIn, several } from "#tests/fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import type { ListOrder } from "./sort.ts";

describe.runIf(hasDatabase())("a search for a text", () => {
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await testProvider();
  });

  test("finds old and new documents, however many are collected first", async () => {
    const { id, add, list } = await companyWithLists(provider);
    // So far apart that PostgreSQL's index has them in forty blocks.
    const ids = several(40, (n) => 2 ** 24 + n * 2 ** 14);
    await add(ids.map((id, n) => ({ id, name: `Lease ${n}${n % 13 === 0 ? " of a crane" : ""}` })));
    // And counted as so many that PostgreSQL does not read all of them at once.
    await provider.db.updateTable("companies").set({ documents: 2000 }).where("id", "=", id).execute();
    const newest = ids.toReversed();
    const findNames = async (name: string, sortLimit: number) => {
      const opened = await list({ name }, { tuning: { sortLimit, countLimit: 20 } });
      return [await idsIn(opened), (await opened.total()).total];
    };
    const cranes = newest.filter((id) => ids.indexOf(id) % 13 === 0);
    for (const limit of [0, 2, 5, 12, 50]) {
      expect(await findNames("lease", limit), `lease, ${limit}`).toEqual([newest, Math.min(limit, 40)]);
      expect(await findNames("crane", limit), `crane, ${limit}`).toEqual([cranes, Math.min(limit, 4)]);
      expect(await findNames("lorry", limit), `lorry, ${limit}`).toEqual([[], 0]);
    }
    const owned = await list({ email: "@", name: "lease" }, { tuning: { sortLimit: 2, countLimit: 20 } });
    expect(await idsIn(owned)).toEqual(newest);
  });

  test("in name or number finds documents with it in either, the newest first, however many are collected", async () => {
    const { add, list } = await companyWithLists(provider);
    const dated = several(6, (n) => ({ date: `2026-01-0${n + 1}` }));
    const added = await add(
      dated.map((document, n) => ({
        ...document,
        name: n === 1 || n === 4 ? "Lease KX-7" : "Permit",
        number: n === 2 || n === 4 ? `kx-7${n}` : `nm-${n}`,
      })),
    );
    const [, byName, byNumber, , both] = added.map(({ id }) => id);
    for (const sortLimit of [0, 1, 20]) {
      const opened = await list({ name_or_number: "KX-7" }, { tuning: { sortLimit, countLimit: 20 } });
      expect(await idsIn(opened), `${sortLimit}`).toEqual([both, byNumber, byName]);
    }
    expect(await idsIn(await list({ name_or_number: "kx" }))).toEqual([both, byNumber, byName]);
    expect(await idsIn(await list({ name_or_number: "kx-7", name: "permit" }))).toEqual([byNumber]);
  });

  test("of one or two letters ends at the newest documents, and says so if there are others", async () => {
    const { add, list } = await companyWithLists(provider);
    await add(several(8, (n) => ({ name: n === 0 ? "Zebra" : `Lease ${n}`, date: `2026-01-0${n + 1}` })));
    const within = async (name: string, newest: number, order: ListOrder = "-date") => {
      const opened = await list({ name }, { order, tuning: { newest } });
      return { isPartial: opened.isPartial, found: (await idsIn(opened)).length, ...(await opened.total()) };
    };
    expect(await within("ze", 7)).toMatchObject({ isPartial: true, found: 0, total: 0 });
    expect(await within("ze", 8)).toMatchObject({ isPartial: false, found: 1, total: 1 });
    expect(await within("e", 7, "name")).toMatchObject({ isPartial: true, found: 7, total: 7 });
    expect(await within("zeb", 7)).toMatchObject({ isPartial: false, found: 1, total: 1 });
  });

  test("of one or two letters covers the newest of list and archive together", async () => {
    const { add, list } = await companyWithLists(provider);
    await add(several(8, (n) => ({ date: `2026-01-0${n + 1}`, status: n % 2 === 0 ? "archived" : "active" })));
    const findNames = async (filters: object) => {
      const opened = await list({ name: "le", ...filters }, { tuning: { newest: 3 } });
      return [opened.isPartial, (await idsIn(opened)).length];
    };
    expect(await findNames({})).toEqual([true, 3]);
    expect(await findNames({ status: "archived" })).toEqual([true, 3]);
    expect(await findNames({ date_from: "2026-01-06" })).toEqual([false, 3]);
  });

  test("of one or two letters covers the same documents in every order, whichever user owns them", async () => {
    const { id, add, list } = await companyWithLists(provider);
    const [older, newer] = [await provider.user(id), await provider.user(id)];
    await add(
      several(3, (n) => ({ date: `2020-01-0${n + 1}` })),
      older.id,
    );
    await add(
      several(6, (n) => ({ date: `2022-01-0${n + 1}` })),
      newer.id,
    );
    for (const order of ["-date", "name", "user", "branch"] as const) {
      const tuning = { batchSize: 3, sortLimit: 2, newest: 5 };
      const opened = await list({ email: "@", name: "e" }, { order, tuning });
      expect([opened.isPartial, (await idsIn(opened)).length]).toEqual([true, 5]);
      expect(await opened.total()).toEqual({ total: 2, isCapped: true });
    }
  });

  test("of one or two letters covers all documents that have a longer text", async () => {
    const { add, list } = await companyWithLists(provider);
    await add([
      { name: "Invoice", number: "ZZ-1", date: "2026-01-01" },
      { name: "Invoice", number: "AA-1", date: "2026-01-02" },
      { name: "Invoice", number: "AA-2", date: "2026-01-03" },
    ]);
    const opened = await list({ name: "invoice", number: "zz" }, { tuning: { sortLimit: 2, newest: 1 } });
    expect([opened.isPartial, (await idsIn(opened)).length, (await opened.total()).total]).toEqual([false, 1, 1]);
  });
});

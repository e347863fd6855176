import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { companyWithLists, idsIn, several } from "#tests/fixtures/documents.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { rebuildDerivedTables } from "../../db/derived-tables.ts";
import { countMatching, matchingIds, type TextMatch } from "./text-index.ts";

describe.runIf(hasDatabase())("the text index", () => {
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await testProvider();
  });

  test("keeps companies, list and archive apart", async () => {
    const [one, other] = [await companyWithLists(provider), await companyWithLists(provider)];
    const [active, archived] = await one.add([{ name: "Crane lease" }, { name: "Crane sale", status: "archived" }]);
    await other.add([{ name: "Crane permit" }]);
    const find = (sides: TextMatch["sides"]) =>
      matchingIds(provider.db, { companyId: one.id, sides, texts: { name: "crane" } }, 10);
    expect(await find(["list"])).toEqual([active!.id]);
    expect(await find(["archive"])).toEqual([archived!.id]);
    expect((await find(["list", "archive"])).toSorted()).toEqual([active!.id, archived!.id].toSorted());
  });

  test("finds documents by name and number together, and gives no more than are wanted", async () => {
    const { id, add } = await companyWithLists(provider);
    const documents = await add(
      several(6, (n) => ({ name: n < 3 ? "Lease" : "Permit", number: `${id}-UNIT-${n % 2}${n}` })),
    );
    const find = (texts: TextMatch["texts"], limit = 10) =>
      matchingIds(provider.db, { companyId: id, sides: ["list"], texts }, limit);
    expect((await find({ name: "LEASE", number: "unit-0" })).toSorted((a, b) => a - b)).toEqual([
      documents[0]!.id,
      documents[2]!.id,
    ]);
    expect(await find({ name: "lease" }, 2)).toHaveLength(2);
    expect(await find({ name: "lease", number: "nowhere" })).toEqual([]);
  });

  test("counts matches that meet a condition, up to a limit", async () => {
    const { id, add } = await companyWithLists(provider);
    await add(several(7, (n) => ({ name: "Lease", status: n < 2 ? "archived" : n < 4 ? "exited" : "active" })));
    const match: TextMatch = { companyId: id, sides: ["list", "archive"], texts: { name: "lease" } };
    const isActive = sql<boolean>`documents.status = 'active'`;
    expect(await countMatching(provider.db, match, isActive, 10)).toBe(3);
    expect(await countMatching(provider.db, match, isActive, 2)).toBe(2);
    expect(await countMatching(provider.db, match, sql<boolean>`documents.status = 'archived'`, 10)).toBe(2);
  });

  test("is whole again once it was emptied and rebuilt from the documents", async () => {
    const { add, list } = await companyWithLists(provider);
    await add([{ name: "Warehouse lease" }, { name: "Archived lease", status: "archived" }]);
    for (const statement of [
      "delete from document_days",
      "update document_months set documents = 0",
      ...(isPostgres(provider.db) ? [] : ["insert into documents_text (documents_text) values ('delete-all')"]),
    ]) {
      await sql.raw(statement).execute(provider.db);
    }
    await rebuildDerivedTables(provider.db);
    const opened = await list({ name: "lease" });
    expect([(await idsIn(opened)).length, (await opened.total()).total]).toEqual([2, 2]);
    expect((await (await list()).total()).total).toBe(2);
  });
});

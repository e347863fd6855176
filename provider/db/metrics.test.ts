import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { metrics } from "#lib/metrics.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

describe.runIf(hasDatabase())("what operators see of the database", () => {
  test("queries are counted by kind, failed ones as well, without their text", async () => {
    const { db } = await testProvider();
    metrics.queryErrors.reset();
    await db.selectFrom("users").select("id").execute();
    await sql`select 1`.execute(db);
    const wrong = db.insertInto("roles" as never).values({ name: "nothing of this" } as never);
    await expect(wrong.execute()).rejects.toThrow();
    const errors = await metrics.queryErrors.get();
    expect(errors.values.map(({ labels, value }) => [labels.kind, value])).toEqual([["insert", 1]]);
    const seconds = await metrics.querySeconds.get();
    const kinds = new Set(seconds.values.map(({ labels }) => labels.kind));
    expect([...kinds].toSorted()).toEqual(expect.arrayContaining(["insert", "other", "select"]));
    expect(JSON.stringify([errors, seconds])).not.toContain("nothing of this");
  });

  test("PostgreSQL's connections are reported as they are now", async () => {
    const { db } = await testProvider();
    const now = async () =>
      Object.fromEntries((await metrics.connections.get()).values.map(({ labels, value }) => [labels.state, value]));
    const openTransaction = await db.startTransaction().execute();
    const { total, idle, waiting } = await now();
    await openTransaction.rollback().execute();
    if (inject("database") === "sqlite")
      return expect([total, idle, waiting]).toEqual([undefined, undefined, undefined]);
    expect([total! - idle!, waiting]).toEqual([1, 0]);
    expect((await now()).idle).toBe(total);
  });
});

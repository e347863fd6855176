import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { emptyDatabase, hasDatabase } from "#tests/fixtures/database.ts";
import { storageFailureOf } from "./failures.ts";

const suite = describe.runIf(hasDatabase() && inject("database") === "postgres");

suite("A connection that ends between two statements of a transaction", () => {
  test("ends the transaction, and neither the process nor others' work", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sealdesk-postgres-"));
    const { open, drop } = await emptyDatabase(directory);
    const database = await open();
    const db = database.tables<Record<string, never>>();
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on("uncaughtExceptionMonitor", note);
    const work = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      const { pid } = rows[0]!;
      await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db);
      await sql`select 1`.execute(transaction);
    });
    await expect(work).rejects.toThrow(/terminat|connection/i);
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    process.off("uncaughtExceptionMonitor", note);
    await database.close();
    await drop();
    await rm(directory, { recursive: true });
    expect(uncaught).toEqual([]);
  });
});

suite("A database that stands still", () => {
  test("has a bounded number of attempts wait for their count", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sealdesk-postgres-"));
    const { open, drop } = await emptyDatabase(directory);
    const database = await open();
    await database.migrate("web", {});
    const db = database.tables<Record<string, never>>();
    const limit = database.limiter("held", 1, 60);
    const counting = await db.transaction().execute(async (transaction) => {
      await sql`lock table rate_limits`.execute(transaction);
      const first = limit.consume("first");
      await sql`select 1`.execute(transaction);
      return [first, ...Array.from({ length: 10_005 }, (_, n) => limit.consume(`attempt ${n}`))].map((counted) =>
        counted.then(
          () => "counted",
          (error: unknown) => storageFailureOf(error),
        ),
      );
    });
    const outcomes = Map.groupBy(await Promise.all(counting), (outcome) => outcome);
    expect(outcomes.get("unreachable")).toHaveLength(5);
    expect(outcomes.get("counted")).toHaveLength(10_001);
    await database.close();
    await drop();
    await rm(directory, { recursive: true });
  });
});

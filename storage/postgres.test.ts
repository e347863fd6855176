import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { emptyDatabase, hasDatabase } from "#fixtures/database.ts";

const suite = describe.runIf(hasDatabase() && inject("database") === "postgres");

suite("A connection that ends between two statements of a transaction", () => {
  test("ends the transaction, and neither the process nor others' work", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sealdesk-postgres-"));
    const { open, drop } = await emptyDatabase(directory);
    const database = open();
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

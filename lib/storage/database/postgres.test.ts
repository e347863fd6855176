import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { describe, expect, inject, test, vi } from "vitest";
import { emptyDatabase, hasDatabase } from "#tests/fixtures/database.ts";
import type { Database } from "./database.ts";
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

/** An empty database, removed with its folder once `use` has ended. */
async function withEmptyDatabase(use: (open: () => Promise<Database>) => Promise<void>) {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-postgres-"));
  const { open, drop } = await emptyDatabase(directory);
  try {
    await use(open);
  } finally {
    await drop();
    await rm(directory, { recursive: true });
  }
}

const addNotes: Migration = {
  async up(db) {
    await sql`create table notes (text text)`.execute(db);
  },
};

suite("A migration", () => {
  test("says for which session it waits, goes on after it, and logs what it did", () =>
    withEmptyDatabase(async (open) => {
      const [holding, migrating] = [await open(), await open()];
      const log = { info: vi.fn(), warn: vi.fn() };
      const db = holding.tables<Record<string, never>>();
      let migrated: Promise<void> | undefined;
      await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{
          pid: number;
        }>`select pg_backend_pid() as pid, pg_advisory_xact_lock(7325335)`.execute(transaction);
        migrated = migrating.migrate("web", { "001_notes": addNotes }, log);
        await vi.waitFor(() => expect(log.warn).toHaveBeenCalled(), { timeout: 60_000 });
        const [event, message] = log.warn.mock.calls[0]!;
        expect(message).toBe("migration waits for other sessions of the database");
        expect(event.sessions).toMatchObject([{ pid: rows[0]!.pid, program: expect.stringContaining("sealdesk") }]);
      });
      await migrated;
      const event = { tables: "web", from: "none", to: "001_notes", seconds: expect.any(Number) };
      expect(log.info).toHaveBeenCalledExactlyOnceWith(event, "database migrated");
      await migrating.migrate("web", { "001_notes": addNotes }, log);
      expect(log.info).toHaveBeenCalledOnce();
      await holding.close();
      await migrating.close();
    }));

  test("leaves no lock behind, which a pooler would keep", () =>
    withEmptyDatabase(async (open) => {
      const database = await open();
      await database.migrate("web", { "001_notes": addNotes });
      const locks = sql<{ n: number }>`select count(*) as n from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`;
      expect((await locks.execute(database.tables())).rows).toEqual([{ n: 0 }]);
      await database.close();
    }));
});

suite("A process with tables of a newer version", () => {
  const applied = (database: Database, name: string) =>
    sql`insert into web_migrations (name, timestamp) values (${name}, '2030-01-01')`.execute(database.tables());
  const write = (database: Database) =>
    database
      .tables()
      .transaction()
      .execute((transaction) => sql`insert into notes values ('late')`.execute(transaction));

  test("writes in no transaction more, and is told", () =>
    withEmptyDatabase(async (open) => {
      const database = await open();
      await database.migrate("web", { "001_notes": addNotes });
      const onNewer = vi.fn();
      await applied(database, "002_of_tomorrow");
      database.watchSchema(onNewer);
      await expect(write(database)).rejects.toThrow("newer Sealdesk than this one (1.0.0): web, 002_of_tomorrow");
      await vi.waitFor(() => expect(onNewer).toHaveBeenCalledOnce(), { timeout: 60_000 });
      await expect(database.migrate("web", { "001_notes": addNotes })).rejects.toThrow("newer Sealdesk");
      await database.close();
    }));

  test("goes on, and starts, if the migration says that this version works with it", () =>
    withEmptyDatabase(async (open) => {
      const database = await open();
      await database.migrate("web", { "001_notes": addNotes });
      await applied(database, "002_more_expand_1.0.0");
      await applied(database, "003_less_contract_0.9.1");
      await database.migrate("web", { "001_notes": addNotes });
      database.watchSchema(() => expect.unreachable());
      await write(database);
      await applied(database, "004_less_contract_1.0.1");
      await expect(database.migrate("web", { "001_notes": addNotes })).rejects.toThrow("004_less_contract_1.0.1");
      await database.close();
    }));
});

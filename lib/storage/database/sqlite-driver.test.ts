import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";

type Tables = { notes: { text: string } };

let server: Database;
let worker: Database;

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-driver-"));
  server = await openDatabase({ directory });
  worker = await openDatabase({ directory, role: "worker" });
  await sql`create table notes (text text)`.execute(server.tables());
  onTestFinished(async () => {
    await server.close();
    await worker.close();
    await rm(directory, { recursive: true });
  });
});

const insert = (db: ReturnType<typeof server.tables<Tables>>, text: string) =>
  db.insertInto("notes").values({ text }).execute();

const notes = async (database: Database) => {
  const rows = await database.tables<Tables>().selectFrom("notes").select("text").orderBy("text").execute();
  return rows.map(({ text }) => text);
};

/** Begins a transaction of the worker, which writes and then waits. */
async function lock() {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = worker
    .tables<Tables>()
    .transaction()
    .execute(async (transaction) => {
      await insert(transaction, "worker");
      locked.resolve();
      await released.promise;
    });
  await locked.promise;
  return { release: released.resolve, ended };
}

test("while another process has the database locked, writes wait, and reads and the event loop go on", async () => {
  const { release, ended } = await lock();
  const db = server.tables<Tables>();
  const steps: string[] = [];
  const writes = [
    insert(db, "statement").then(() => steps.push("statement")),
    db
      .transaction()
      .execute((transaction) => insert(transaction, "transaction"))
      .then(() => steps.push("transaction")),
  ];
  await wait(50);
  expect(await notes(server)).toEqual([]);
  expect(steps).toEqual([]);
  release();
  await Promise.all([ended, ...writes]);
  expect(await notes(server)).toEqual(["statement", "transaction", "worker"]);
});

test("a transaction that reads before it writes is not undone by what others wrote meanwhile", async () => {
  const reading = server
    .tables<Tables>()
    .transaction()
    .execute(async (transaction) => {
      await transaction.selectFrom("notes").select("text").execute();
      await wait(20);
      await insert(transaction, "server");
    });
  await Promise.all([reading, insert(worker.tables(), "worker")]);
  expect(await notes(server)).toEqual(["server", "worker"]);
});

test("a transaction in which a statement failed is undone, and others go on", async () => {
  const db = server.tables<Tables>();
  const failed = db.transaction().execute(async (transaction) => {
    await insert(transaction, "undone");
    await sql`insert into nowhere values (1)`.execute(transaction);
  });
  await Promise.all([expect(failed).rejects.toThrow("no such table"), insert(db, "server")]);
  expect(await notes(worker)).toEqual(["server"]);
});

test("statements that take long together let timers come between them", async () => {
  const slow = sql`with recursive n (n) as (select 1 union all select n + 1 from n where n < 200000) select max(n) from n`;
  let timers = 0;
  const timer = setInterval(() => timers++, 1);
  for (let n = 0; n < 5; n++) await slow.execute(server.tables());
  clearInterval(timer);
  expect(timers).toBeGreaterThan(0);
});

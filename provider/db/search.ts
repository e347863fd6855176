import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { isPostgres } from "#storage/dialect.ts";
import type { Tables } from "./tables.ts";

type Db = Kysely<Tables>;

/**
 * Merges the segments of SQLite's text index, of which every change adds one: a word is looked up in each of them, and a
 * small company's search takes 5 ms in 24 segments and 0.2 ms in one. A step takes some 3 ms.
 */
export async function joinSearchParts(db: Db, signal: AbortSignal) {
  if (isPostgres(db)) return;
  await sql`insert into documents_text (documents_text, rank) values ('usermerge', 2)`.execute(db);
  const changes = async (one: Db) => (await sql<{ n: number }>`select total_changes() as n`.execute(one)).rows[0]!.n;
  const step = () =>
    db.connection().execute(async (one) => {
      const before = await changes(one);
      await sql`insert into documents_text (documents_text, rank) values ('merge', 16)`.execute(one);
      // The command itself counts as one change.
      return (await changes(one)) - before >= 2;
    });
  while (!signal.aborted && (await step())) await wait(pauseMs);
}

/** Between steps, for requests. */
const pauseMs = 10;

import { sql } from "kysely";
import { minutesInMs, secondsInMs } from "../../units.ts";
import type { Database } from "../database/database.ts";
import { isPostgres } from "../database/dialect.ts";
import { markOf } from "./marks.ts";
import type { Place } from "./place.ts";
import { marksInReplica } from "./litestream.ts";
import { marksInSegment } from "./wal-archive.ts";

/** Rows that are read back from the continuous copy of the database, so that a copier that stops is noticed. */
export type HeartbeatTables = {
  /** `mark` is what is searched for in the copy. `wal_file` is PostgreSQL's segment with the row, and empty on SQLite. */
  heartbeats: { at: string; mark: string; wal_file: string; copied_at: string | null };
};

export const maxCopyLagMs = secondsInMs(90);

/** Adds a row, and notes which ones the copy at `place` has by now. */
export async function beat(database: Database, place: Place, now: Date) {
  const db = database.tables<HeartbeatTables>();
  const at = now.toISOString();
  const ofServer = isPostgres(db);
  await db
    .insertInto("heartbeats")
    .values({
      at,
      mark: markOf(at),
      wal_file: ofServer ? sql`pg_walfile_name(pg_current_wal_insert_lsn())` : "",
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const waiting = await db
    .selectFrom("heartbeats")
    .where("copied_at", "is", null)
    .orderBy("at", "desc")
    .selectAll()
    .execute();
  await deleteOldBeats(database, now);
  const marks = ofServer
    ? await marksInSegment(
        place,
        waiting.map(({ wal_file }) => wal_file),
      )
    : await marksInReplica(place, await heartbeatsPage(database));
  if (marks.length > 0) {
    await db.updateTable("heartbeats").set({ copied_at: now.toISOString() }).where("mark", "in", marks).execute();
  }
}

/** The page of an SQLite file that has all heartbeats: there are never more than fit into it. */
async function heartbeatsPage(database: Database): Promise<number> {
  const { rows } = await sql<{ page: number }>`
    select rootpage as page from sqlite_master where type = 'table' and name = 'heartbeats'`.execute(database.tables());
  return rows[0]!.page;
}

/** All but the last copied one and those that may still arrive. */
async function deleteOldBeats(database: Database, now: Date) {
  const db = database.tables<HeartbeatTables>();
  const copied = await copiedUntil(database);
  const oldest = new Date(now.getTime() - minutesInMs(2)).toISOString();
  await db
    .deleteFrom("heartbeats")
    .where((eb) =>
      eb.or([eb("at", "<", copied?.toISOString() ?? ""), eb.and([eb("at", "<", oldest), eb("copied_at", "is", null)])]),
    )
    .execute();
}

/** The moment up to which the copy is known to be complete. */
export async function copiedUntil(database: Database): Promise<Date | undefined> {
  const newest = await database
    .tables<HeartbeatTables>()
    .selectFrom("heartbeats")
    .where("copied_at", "is not", null)
    .select(({ fn }) => fn.max<string | null>("at").as("at"))
    .executeTakeFirst();
  return newest?.at ? new Date(newest.at) : undefined;
}

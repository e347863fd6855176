import { sql } from "kysely";
import { jsonRows } from "#lib/storage/database/json-rows.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { entryOf } from "./records.ts";

const batchSize = 1000;

/**
 * Numbers the committed entries that have no number yet, the oldest first; returns how many have one. A job does it, as a
 * lock from the first entry of each writing transaction on would make companies wait for each other, and deadlock.
 */
export async function numberEntries({ db, now }: Pick<Services, "db" | "now">, signal: AbortSignal): Promise<number> {
  for (;;) {
    const { size, isLast } = await db.transaction().execute((transaction) => numberBatch(transaction, now()));
    if (isLast || signal.aborted) return size;
  }
}

async function numberBatch(db: Db, now: Date) {
  // Of two processes, the second waits until the first has committed.
  const active = db.updateTable("log_origins").set((eb) => ({ created_at: eb.ref("created_at") }));
  await active.where("ended_at", "is", null).execute();
  const entries = await db
    .selectFrom("log_entries")
    .where("number", "is", null)
    .select(["id", "salt", "record"])
    .orderBy("id")
    .limit(batchSize)
    .execute();
  const last = await lastEntry(db);
  const size = last ? last.number + 1 : 0;
  const at = now.toISOString();
  // Machines whose clock is behind don't date an entry before the one that it follows.
  const entered_at = last && last.entered_at > at ? last.entered_at : at;
  const numbered = entries.map(({ id, salt, record }, index) => {
    return { id, number: size + index, entered_at, entry: entryOf({ salt, entered_at, record }).toString("base64") };
  });
  if (numbered.length > 0) {
    const columns = { id: "integer", number: "integer", entered_at: "text", entry: "text" } as const;
    const { list, values, rows } = jsonRows(db, columns, numbered);
    await sql`
      with given (${list}) as (select ${values} from ${rows})
      update log_entries set number = given.number, entered_at = given.entered_at, entry = given.entry
      from given where log_entries.id = given.id`.execute(db);
  }
  return { size: size + numbered.length, isLast: numbered.length < batchSize };
}

async function lastEntry(db: Db) {
  const last = await db
    .selectFrom("log_entries")
    .where("number", "is not", null)
    .orderBy("number", "desc")
    .select(["number", "entered_at"])
    .limit(1)
    .executeTakeFirst();
  return last && { number: last.number!, entered_at: last.entered_at! };
}

/** How many entries have a number. */
export const sizeOf = async (db: Db): Promise<number> => ((await lastEntry(db))?.number ?? -1) + 1;

import { inSnapshot } from "#lib/storage/database/rows.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import { enteredUpTo } from "./existing.ts";
import { differences, documentStates, firstStates, type LogRecord, readRecord } from "./records.ts";

type Given = { db: Db; now: Date };

export type Report = { fault(text: string): void; note(text: string): void };

const batchSize = 1000;

/** Reports documents that are not what their newest entries say. */
export async function verifyStates({ db, now }: Given, { fault, note }: Report, signal: AbortSignal) {
  const settled = await enteredUpTo(db, now);
  let without = 0;
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const documents = await db
      .selectFrom("documents")
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .select(["id", "number"])
      .execute();
    if (documents.length === 0) break;
    const ids = documents.map(({ id }) => id);
    const { records, states, firsts } = await inSnapshot(db, async (transaction) => {
      const snapshot = transaction as unknown as Db;
      return {
        records: await recordsOf(snapshot, ids),
        states: await documentStates(snapshot, ids),
        firsts: await firstStates(snapshot, ids),
      };
    });
    for (const { id, number } of documents) {
      const own = records.get(id);
      const differing = own && [
        ...differences(own.first.record, firsts.get(id)!),
        ...differences(own.newest.record, states.get(id)!),
      ];
      if (!own && id > settled) without++;
      else if (!own) fault(`document ${id} (${number}) has no entry, though the log has later ones`);
      else if (differing!.length > 0) {
        fault(`document ${id} (${number}) is not as no. ${own.newest.number ?? "–"} says: ${differing!.join(", ")}`);
      }
    }
    after = ids.at(-1)!;
  }
  for (const id of await missingDocuments(db)) fault(`document ${id}, which the log has, is not in the database`);
  if (without > 0) note(`${without} documents are not in the log yet: a job enters them within an hour`);
}

type Entry = { number: number | null; record: LogRecord };

async function recordsOf(db: Db, ids: number[]) {
  const entries = await db
    .selectFrom("log_entries")
    .where("entity", "=", "document")
    .where(isAmong(db, "entity_id", ids))
    .orderBy("id")
    .select(["entity_id", "number", "record"])
    .execute();
  const records = new Map<number, { first: Entry; newest: Entry }>();
  for (const { entity_id, number, record } of entries) {
    const read = readRecord(record);
    // What has no form is reported by its number.
    if (!read) continue;
    const entry = { number, record: read };
    records.set(entity_id, { first: records.get(entity_id)?.first ?? entry, newest: entry });
  }
  return records;
}

/** Documents with entries, and without a row. */
async function missingDocuments(db: Db) {
  const rows = await db
    .selectFrom("log_entries")
    .leftJoin("documents", "documents.id", "entity_id")
    .where("entity", "=", "document")
    .where("documents.id", "is", null)
    .select("entity_id")
    .distinct()
    .orderBy("entity_id")
    .limit(100)
    .execute();
  return rows.map(({ entity_id }) => entity_id);
}

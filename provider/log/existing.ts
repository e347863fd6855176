import { daysInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { enter, enterSealKey, sealKeyEntity } from "./enter.ts";
import { documentStates, firstStates, otherKinds } from "./records.ts";

const batchSize = 500;

/**
 * Enters documents and keys that are not in the log, as of now: from before it once, of which an entry tells the end, and
 * later ones as late: of an imported company, or added to the database.
 */
export async function enterExisting({ db, now }: Pick<Services, "db" | "now">, signal: AbortSignal): Promise<void> {
  const isClosed = (await closingEntries(db).select("id").executeTakeFirst()) !== undefined;
  const kind = isClosed ? otherKinds.late : otherKinds.existing;
  for (let after = isClosed ? await enteredUpTo(db, now()) : 0; !signal.aborted;) {
    const ids = await db
      .transaction()
      .execute((transaction) => enterDocuments(transaction, { after, kind, now: now() }));
    if (ids.length < batchSize) break;
    after = ids.at(-1)!;
  }
  if (signal.aborted) return;
  await db.transaction().execute(async (transaction) => {
    await enterKeys(transaction, { kind, now: now() });
    const record = { kind: otherKinds.existingEntered, at: now().toISOString() };
    if (!isClosed) await enter(transaction, [{ company_id: null, entity: "log", entity_id: 0, record }]);
  });
}

type As = { kind: typeof otherKinds.late | typeof otherKinds.existing; now: Date };

/** Entries that tell that all existing ones were entered. */
export const closingEntries = (db: Db) =>
  db
    .selectFrom("log_entries")
    .where("entity", "=", "log")
    .where("record", "like", `%"kind":"${otherKinds.existingEntered}"%`);

/** Longer than a transaction takes that issues documents or imports a company, and than this job fails unnoticed. */
const settledMs = daysInMs(7);

/** Up to which id all documents have had their chance: no later one comes with a lower id than the log had a week ago. */
export async function enteredUpTo(db: Db, now: Date): Promise<number> {
  const settled = await db
    .selectFrom("log_entries")
    .where("entity", "=", "document")
    .where("entered_at", "<", ago(now, settledMs))
    .orderBy("entity_id", "desc")
    .limit(1)
    .select("entity_id")
    .executeTakeFirst();
  return settled?.entity_id ?? 0;
}

async function enterDocuments(db: Db, { after, kind, now }: As & { after: number }): Promise<number[]> {
  const documents = await db
    .selectFrom("documents")
    .where("id", ">", after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("log_entries")
            .where("entity", "=", "document")
            .whereRef("entity_id", "=", "documents.id")
            .select("log_entries.id"),
        ),
      ),
    )
    .orderBy("id")
    .limit(batchSize)
    .select(["id", "company_id"])
    .execute();
  const ids = documents.map(({ id }) => id);
  const [states, firsts] = [await documentStates(db, ids), await firstStates(db, ids)];
  const at = now.toISOString();
  const entries = documents.map(({ id, company_id }) => {
    const record = { ...states.get(id), ...firsts.get(id), kind, at };
    return { company_id, entity: "document", entity_id: id, record };
  });
  await enter(db, entries);
  return ids;
}

async function enterKeys(db: Db, { kind, now }: As) {
  const logged = db.selectFrom("log_entries").where("entity", "=", sealKeyEntity).select("entity_id");
  const keys = await db
    .selectFrom("seal_keys")
    .where("id", "not in", logged)
    .select(["id", "company_id", "thumbprint", "created_at", "revoked_at"])
    .orderBy("id")
    .execute();
  for (const { created_at, revoked_at, ...key } of keys) {
    const record = { kind, at: now.toISOString(), made: created_at };
    await enterSealKey(db, key, { ...record, revoked: revoked_at ?? undefined });
  }
}

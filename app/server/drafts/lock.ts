import type { Kysely, Transaction } from "kysely";
import type { DraftTables } from "./tables.ts";

/** Runs a transaction while no other of the same name runs in any process, so that what it counts stays true. */
export function withLock<T>(
  db: Kysely<DraftTables>,
  name: string,
  work: (transaction: Transaction<DraftTables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("draft_locks")
      .values({ name })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ name }))
      .execute();
    return work(transaction);
  });
}

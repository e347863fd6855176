import type { Kysely, Transaction } from "kysely";
import type { DraftTables } from "./tables.ts";

/** Runs transactions of the same name one after the other, in all processes, so that none exceeds a limit it checked. */
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

import type { Kysely, Transaction } from "kysely";
import type { DraftTables } from "./tables.ts";

/**
 * Runs transactions of the same name one after the other, in all processes: what one counts before it adds to it stays
 * true until it has. PostgreSQL would count for both at once otherwise.
 */
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

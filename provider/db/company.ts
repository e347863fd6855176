import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Runs writes that must see each other (numbers, counters, the last administrator, a branch's last user) one after
 * the other within a company: taking the company's row first makes PostgreSQL do what SQLite does anyway.
 */
export function inCompany<T>(
  db: Kysely<Tables>,
  companyId: number,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("companies")
      .set((eb) => ({ documents: eb.ref("documents") }))
      .where("id", "=", companyId)
      .execute();
    return work(transaction);
  });
}

/** Today's date (`YYYY-MM-DD`) where the company is. */
export const today = (timezone: string, now: Date) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(now);

/** The time of day (`09:14`) where the company is. */
export const timeOfDay = (timezone: string, instant: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short" }).format(new Date(instant));

import { ago } from "../calendar/calendar.ts";
import type { Db } from "../db/tables.ts";

/**
 * What a company's status lists depend on, as counts of entries of its audit trail. A list is outdated once there are more than
 * when it was made; the newest one would not do, as entries before it may be committed later.
 */

/** How many changes there were since `marginMs` before an instant: commits take time, and machines' clocks differ. */
export const changesSince = (db: Db, companyId: number, at: Date, marginMs: number) =>
  db
    .selectFrom("audit")
    .where("company_id", "=", companyId)
    .where("trail", "=", "changes")
    .where("at", ">=", ago(at, marginMs))
    .where("entity", "in", ["document", "company"])
    .select(({ fn }) => fn.countAll<number>().as("n"));

export const countOf = async (changes: ReturnType<typeof changesSince>) =>
  Number((await changes.executeTakeFirstOrThrow()).n);

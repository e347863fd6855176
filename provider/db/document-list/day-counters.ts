import { type Kysely, sql } from "kysely";
import { type Actor, alertsWithin, seesAllDocuments } from "../../access.ts";
import type { Cursor } from "../../contract/cursors.ts";
import { type ListOrArchive, listOrArchive } from "./indexes.ts";
import type { Order } from "./range-scan.ts";
import { type DocumentStatus, documentStatuses, type Tables } from "../tables.ts";

/** What is counted of each day's documents, kept with every change: nobody counts a million of them. */

type Days = { statuses: readonly DocumentStatus[]; from?: string | undefined; to?: string | undefined };

const daysOf = (db: Kysely<Tables>, companyId: number, { statuses, from, to }: Days) =>
  db
    .selectFrom("document_days")
    .where("company_id", "=", companyId)
    .where("status", "in", statuses)
    .$if(from !== undefined, (days) => days.where("date", ">=", from!))
    .$if(to !== undefined, (days) => days.where("date", "<=", to!));

const monthsOf = (db: Kysely<Tables>, companyId: number, { statuses }: Days) =>
  db.selectFrom("document_months").where("company_id", "=", companyId).where("status", "in", statuses);

const isBounded = ({ from, to }: Days) => from !== undefined || to !== undefined;

/** How many documents a company has: to add up the days of eight years takes PostgreSQL 3 ms. */
export async function countedDocuments(db: Kysely<Tables>, companyId: number, days: Days): Promise<number> {
  const sum = sql<number | null>`sum(documents)`.as("documents");
  const counted = isBounded(days) ? daysOf(db, companyId, days).select(sum) : monthsOf(db, companyId, days).select(sum);
  return (await counted.executeTakeFirstOrThrow()).documents ?? 0;
}

/** How many documents a company has of each date. */
const countedByDay = (db: Kysely<Tables>, companyId: number, days: Days) =>
  daysOf(db, companyId, days)
    .groupBy("date")
    .select(["date as day", (eb) => eb.fn.sum<number>("documents").as("count")])
    .execute();

/** How many documents there are of each date about which an actor may read alerts. */
export async function documentsADay(db: Kysely<Tables>, actor: Actor, { from, to }: { from: string; to: string }) {
  if (seesAllDocuments(actor, "alerts")) {
    return countedByDay(db, actor.company_id, { statuses: documentStatuses, from, to });
  }
  const documentsIn = (side: ListOrArchive) =>
    db
      .selectFrom("documents")
      .where(listOrArchive[side])
      .where("documents.date", ">=", from)
      .where("documents.date", "<=", to)
      .where(alertsWithin(actor, "read"))
      .groupBy("date")
      .select(["date as day", (eb) => eb.fn.countAll<number>().as("count")])
      .execute();
  return [...(await documentsIn("list")), ...(await documentsIn("archive"))];
}

/**
 * The place before the day on which a company's nth document by date is, and how many are before that day. By month
 * first where no dates are asked for: to tell the days of eight years takes PostgreSQL and this process 5 ms.
 */
export async function countedDayOfNth(db: Kysely<Tables>, companyId: number, days: Days, order: Order, n: number) {
  if (isBounded(days)) return dayOfNth(await countedByDay(db, companyId, days), order, n);
  const months = await monthsOf(db, companyId, days).select(["month as day", "documents as count"]).execute();
  const found = dayOfNth(months, order, n);
  if (!found) return undefined;
  const { after: month, before } = found;
  const within = { ...days, from: `${month.key}-01`, to: `${month.key}-31` };
  const day = dayOfNth(await countedByDay(db, companyId, within), order, n - before);
  return day && { ...day, before: before + day.before };
}

/** The same of days that are counted already. */
export function dayOfNth(counted: { day: string; count: number }[], { isDown }: Order, n: number) {
  let before = 0;
  const days = [...Map.groupBy(counted, ({ day }) => day)];
  for (const [day, parts] of days.toSorted(([a], [b]) => (a < b === isDown ? 1 : -1))) {
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    if (before + count > n) return { after: { key: day, id: isDown ? 2 ** 31 - 1 : 0 } satisfies Cursor, before };
    before += count;
  }
  return undefined;
}

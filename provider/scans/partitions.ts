import { sql, type Transaction } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { daysInMs } from "#lib/units.ts";
import { addMonths, ago } from "../calendar/calendar.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";

/** PostgreSQL's partitions of scans, one for each month; what none of them is for is in `scans_default`. */

/** Made before they are needed, so that no scan waits for one. */
const monthsAhead = 2;

const nameOf = (month: string) => `scans_${month.replace("-", "_")}`;
const beginOf = (month: string) => `${month}-01T00:00:00.000Z`;
export const nextMonth = (month: string) => addMonths(`${month}-01`, 1).slice(0, 7);

/** The months that have a partition, the oldest first. */
export async function partitionedMonths(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'scans'::regclass and relname ~ '^scans_\\d{4}_\\d{2}$' order by relname`.execute(db);
  return rows.map(({ name }) => name.slice("scans_".length).replace("_", "-"));
}

/** Makes the partitions of this and the next months. A month with rows elsewhere waits for `splitDefaultPartition`. */
export async function makePartitions({ db, now }: Pick<Services, "db" | "now">) {
  if (!isPostgres(db)) return;
  const months = await partitionedMonths(db);
  let month = now().toISOString().slice(0, 7);
  for (let n = 0; n <= monthsAhead; n++, month = nextMonth(month)) {
    if (!months.includes(month) && !(await hasRows(db, month))) await makePartition(db, month);
  }
}

/** Rules and reports change scans of the last days. */
const daysOfChanges = 2;

/**
 * Moves rows out of the default partition, one month in each transaction: those of before the update, or of a backup. A
 * month in which scans still come waits until it is over: scans added while it is moved would prevent its attachment.
 */
export async function splitDefaultPartition({ db, now }: Pick<Services, "db" | "now">, signal: AbortSignal) {
  if (!isPostgres(db)) return;
  const thisMonth = now().toISOString().slice(0, 7);
  const unchanged = ago(now(), daysInMs(daysOfChanges));
  const isStill = (month: string) => month > thisMonth || beginOf(nextMonth(month)) <= unchanged;
  const { rows } = await sql<{ month: string }>`
    select distinct substr(at, 1, 7) as month from scans_default order by 1`.execute(db);
  for (const { month } of rows) {
    if (signal.aborted) return;
    if (/^\d{4}-\d\d$/.test(month) && isStill(month)) await makePartition(db, month);
  }
}

async function hasRows(db: Db, month: string) {
  const { rows } = await sql`select 1 as one from scans_default where ${isWithin(month)} limit 1`.execute(db);
  return rows.length > 0;
}

const isWithin = (month: string) => sql<boolean>`at >= ${beginOf(month)} and at < ${beginOf(nextMonth(month))}`;

/**
 * Rows can be added during the move: then the attachment fails, and the next run tries again. The attachment holds up all that reads
 * scans, so that indexes and the proof that each row is of the month are there before it.
 */
const makePartition = (db: Db, month: string) =>
  withShortLocks(db, async (transaction) => {
    const partition = sql.table(nameOf(month));
    const [from, to] = [sql.lit(beginOf(month)), sql.lit(beginOf(nextMonth(month)))];
    await sql`create table ${partition} (like scans including defaults including indexes,
      constraint of_the_month check (at >= ${from} and at < ${to}))`.execute(transaction);
    await sql`with moved as (delete from scans_default where ${isWithin(month)} returning *)
      insert into ${partition} select * from moved`.execute(transaction);
    await sql`alter table scans attach partition ${partition} for values from (${from}) to (${to})`.execute(
      transaction,
    );
    await sql`alter table ${partition} drop constraint of_the_month`.execute(transaction);
  });

/** Removes a month's scans with all that refers to them. */
export const dropPartition = (db: Db, month: string) =>
  withShortLocks(db, async (transaction) => {
    const partition = sql.table(nameOf(month));
    for (const table of ["complaints", "alert_scans", "scans_to_judge"]) {
      await sql`delete from ${sql.table(table)} where scan_id in (select id from ${partition})`.execute(transaction);
    }
    await sql`update scan_days set scans = scan_days.scans - counted.scans from (
        select company_id, day, staff, count(*) as scans from ${partition} group by company_id, day, staff
      ) as counted where scan_days.company_id = counted.company_id and scan_days.day = counted.day
      and scan_days.staff = counted.staff`.execute(transaction);
    await sql`drop table ${partition}`.execute(transaction);
  });

/** Scans wait behind these locks, so that a run rather fails than waits long for them. */
const withShortLocks = (db: Db, work: (transaction: Transaction<Tables>) => Promise<void>) =>
  db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = '5s'`.execute(transaction);
    await work(transaction);
  });

import { type SelectQueryBuilder, sql } from "kysely";
import { readByCursor } from "#lib/storage/database/cursor.ts";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import type { Actor } from "../access.ts";
import { isRealDate } from "#lib/dates.ts";
import { addDays } from "../calendar/calendar.ts";
import { countTo } from "../db/lists.ts";
import { kindCondition, scanRows, scansMatching, type ScanQuery } from "./scan-queries.ts";
import type { Db } from "../db/tables.ts";

type ScanCursor = { at: string; id: number };
type ScanRows = ReturnType<typeof scanRows>;

type Query<Row> = {
  filters: ScanQuery;
  isDescending: boolean;
  /** Where counting ends. */
  countLimit: number;
  /** How many of the first are counted and not given, and how many are given then. */
  skip?: number;
  size?: number;
  batchSize?: number;
  select(scans: ScanRows): SelectQueryBuilder<any, any, Row>;
};

/** Reads scans as `takeScans` does, into one list. */
export async function readScans<Row>(db: Db, actor: Actor, query: Query<Row>): Promise<{ rows: Row[]; count: number }> {
  const rows: Row[] = [];
  const count = await takeScans(db, actor, { ...query, take: (more) => rows.push(...more) });
  return { rows, count };
}

/** Rows of one statement: SQLite reads 250 in 2 to 12 ms from memory and in up to 55 ms from a disk; PostgreSQL sends 2,500 in 8 ms. */
const batchSizeFor = (db: Db) => (isPostgres(db) ? 2500 : 250);

/**
 * Passes scans that have a position or a place to `take`, in batches by their time, and returns how many there are, up to
 * `countLimit`. SQLite looks each scan's document up, to see whether the actor may read it: 30 ms for 35,000. PostgreSQL reads them in one
 * query, whose rows come in parts: with a query for each batch, a map of a million documents took ten times as long.
 */
export async function takeScans<Row>(
  db: Db,
  actor: Actor,
  query: Query<Row> & { take(rows: Row[]): void },
): Promise<number> {
  const { filters, isDescending, countLimit, skip = 0, size = countLimit, batchSize = batchSizeFor(db) } = query;
  const direction = isDescending ? "desc" : "asc";
  const [beyond, upTo] = [sql.raw(isDescending ? "<" : ">"), sql.raw(isDescending ? ">=" : "<=")];
  let skipped = 0;
  const takeFrom = (read: Row[]) => {
    const first = Math.min(skip - skipped, read.length);
    skipped += first;
    query.take(read.slice(first));
    return read.length;
  };
  let count = 0;
  let after: ScanCursor | undefined;
  for (;;) {
    const conditions = [
      sql<boolean>`scans.company_id = ${actor.company_id}`,
      // Written as in the partial index, so that it is used.
      sql<boolean>`(scans.latitude is not null or scans.place <> '')`,
      // Otherwise a batch has all scans, few of which are suspicious.
      ...kindCondition(filters),
      ...timesOf(filters),
      ...(after ? [sql<boolean>`(scans.at, scans.id) ${beyond} (${after.at}, ${after.id})`] : []),
    ];
    // Known before the batch is read: scans that come or go meanwhile make none read twice or left out.
    const last: ScanCursor | undefined = isPostgres(db)
      ? undefined
      : await db
          .selectFrom("scans")
          .where((eb) => eb.and(conditions))
          .orderBy("at", direction)
          .orderBy("id", direction)
          .select(["at", "id"])
          .limit(1)
          .offset(batchSize - 1)
          .executeTakeFirst();
    const matches = query.select(
      scanRows(db, actor)
        .where((eb) => eb.and(conditions))
        .$if(last !== undefined, (all) =>
          all.where(sql<boolean>`(scans.at, scans.id) ${upTo} (${last!.at}, ${last!.id})`),
        )
        .where(scansMatching(actor, filters)),
    );
    const left = countLimit - count;
    const wanted = Math.min(Math.max(skip + size - count, 0), left);
    const ordered = matches.orderBy(sql.ref("scans.at"), direction).orderBy(sql.ref("scans.id"), direction);
    const page = ordered.limit(wanted);
    const isLong = isPostgres(db) && wanted > batchSize;
    const read =
      wanted === 0 ? 0 : isLong ? await inParts(db, page, batchSize, takeFrom) : takeFrom(await page.execute());
    // Those behind the page are counted by the database alone.
    count += read < wanted || wanted === left ? read : await countTo(left, matches, db);
    if (!last || count >= countLimit) return count;
    after = last;
  }
}

/** Takes the rows of a query on PostgreSQL, `size` at a time, and returns how many. */
const inParts = <Row>(
  db: Db,
  query: SelectQueryBuilder<any, any, Row>,
  size: number,
  take: (rows: Row[]) => number,
): Promise<number> =>
  db
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      let read = 0;
      for await (const part of readByCursor(transaction, query, size)) {
        read += take(part);
      }
      return read;
    });

/** Bounds of the instants that the filters' days may have in any time zone. */
function timesOf({ date_from, date_to }: ScanQuery) {
  const times = [];
  if (date_from && isRealDate(date_from)) times.push(sql<boolean>`scans.at >= ${addDays(date_from, -1)}`);
  // Two days later, the last days would be in a year of five digits.
  if (date_to && isRealDate(date_to) && date_to < "9999") times.push(sql<boolean>`scans.at < ${addDays(date_to, 2)}`);
  return times;
}

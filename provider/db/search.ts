import { setImmediate as pause, setTimeout as wait } from "node:timers/promises";
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "#storage/dialect.ts";
import { fold } from "#storage/text.ts";
import { type Shelf, shelves } from "./document-orders.ts";
import { contains } from "./lists.ts";
import type { Tables } from "./tables.ts";

/**
 * What a million documents are searched and counted by: an index of the three-letter pieces of names and numbers, and
 * how many documents there are of each day and month. The database itself keeps both up to date, by triggers.
 */

type Db = Kysely<Tables>;

/** The columns that are searched by pieces, each by the filter's name. */
export const searchedColumns = { name: "name_key", number: "number_key" } as const;
type Searched = keyof typeof searchedColumns;

/** Shorter texts have no piece that the index knows. */
const pieceLength = 3;
export const isLongEnough = (text: string) => [...fold(text)].length >= pieceLength;

/** Rows of SQLite's index are numbered by company and shelf first, so that a search reads its own part of each piece's list. */
const rowsOf = (companyId: number, shelf: Shelf) => (BigInt(companyId) << 32n) + (shelf === "archive" ? 1n << 31n : 0n);

/**
 * Joins the parts of SQLite's index, of which every change makes another: a word is looked up in each of them, and in
 * 24 a small company's search takes 5 ms where one takes 0.2. What was joined as often before is joined, so that a few
 * are left; a step takes some 3 ms, longer where very many documents have a piece, as it is written at once.
 */
export async function joinSearchParts(db: Db, signal: AbortSignal) {
  if (isPostgres(db)) return;
  await sql`insert into documents_text (documents_text, rank) values ('usermerge', 2)`.execute(db);
  const changes = async (one: Db) => (await sql<{ n: number }>`select total_changes() as n`.execute(one)).rows[0]!.n;
  const step = () =>
    db.connection().execute(async (one) => {
      const before = await changes(one);
      await sql`insert into documents_text (documents_text, rank) values ('merge', 16)`.execute(one);
      // The command itself counts as one change.
      return (await changes(one)) - before >= 2;
    });
  while (!signal.aborted && (await step())) await wait(betweenJoinsMs);
}

/** For everybody else. */
const betweenJoinsMs = 10;

/** PostgreSQL's index tells in which lot of so many ids (as a power of two) a document is. */
const lotBits = 14;
const lot = `(id >> ${lotBits})`;

/** Texts that documents have in some of their columns, long enough for the index. */
export type Texts = Partial<Record<Searched, string>>;

/** A company's documents that have all of the texts, on some of the shelves. */
export type Having = { companyId: number; shelves: Shelf[]; texts: Texts };

/** No more than `most` of their ids. */
export async function idsHaving(db: Db, having: Having, most: number): Promise<number[]> {
  if (isPostgres(db)) return newestHaving(db, having, sql<SqlBool>`true`, most);
  const ids: number[] = [];
  for (const shelf of having.shelves) ids.push(...(await idsOf(db, rowsHaving(having, shelf), most - ids.length)));
  return ids;
}

/** How many of them are as `condition` says of `documents`; counting ends at `most`. */
export async function countHaving(db: Db, having: Having, condition: Expression<SqlBool>, most: number) {
  if (isPostgres(db)) return (await newestHaving(db, having, condition, most)).length;
  let total = 0;
  for (const shelf of having.shelves) {
    total += await countWhere(db, having, shelf, condition, most - total);
  }
  return Math.min(total, most);
}

const idsOf = async (db: Db, rows: RawBuilder<unknown>, most: number) =>
  (await sql<{ id: number }>`${rows} limit ${most}`.execute(db)).rows.map(({ id }) => id);

/** Looks one lot of a shelf after the other up, until there are so many. */
async function countWhere(db: Db, having: Having, shelf: Shelf, condition: Expression<SqlBool>, most: number) {
  let total = 0;
  let last = 0;
  while (total < most) {
    const found = await counted(
      db,
      sql`select hits.id, ${condition} as asked from (${rowsHaving(having, shelf, last)} limit ${atOnce}) as hits
        cross join documents on documents.id = hits.id`,
    );
    total += found.asked ?? 0;
    if (found.count < atOnce) break;
    last = found.last!;
    await pause();
  }
  return total;
}

/** How many documents are read at a time in their order: 5 ms with SQLite; with PostgreSQL nobody else waits. */
export const readAtOnce = (db: Db) => (isPostgres(db) ? 100_000 : 20_000);

/** How many scans with a place: 7 ms with SQLite; with PostgreSQL all of them. */
export const scansAtOnce = (db: Db) => (isPostgres(db) ? Infinity : 2500);

/** So many documents are sorted in 5 ms; PostgreSQL takes 14 ms to find as many that have a text, and 5 for a thousand. */
export const fewDocuments = (db: Db) => (isPostgres(db) ? 1000 : 2500);

/** Looking them up takes SQLite some 5 ms, in which nobody else is answered. */
const atOnce = 2500;

async function counted(db: Db, rows: RawBuilder<unknown>) {
  const result = await sql<{ count: number; asked: number | null; last: number | null }>`
    select count(*) as count, sum(asked) as asked, max(id) as last from (${rows}) as counted`.execute(db);
  return result.rows[0]!;
}

/**
 * What PostgreSQL finds of the newest documents, where that is enough, or else of all. Its index is read to the end
 * before the first document is known, 50 ms for a word that a tenth of a million documents have: of a common word the
 * newest lots have as many as are wanted (84 ms in place of 231), and the first of them tell how many lots that takes.
 */
async function newestHaving(db: Db, having: Having, condition: Expression<SqlBool>, most: number) {
  const all = sql`select id from ${withTexts(having)} and ${condition}`;
  const { documents, last } = await db
    .selectFrom("companies")
    .where("id", "=", having.companyId)
    .select((eb) => [
      "documents",
      eb
        .selectFrom("documents")
        .where("company_id", "=", having.companyId)
        .orderBy("created_at", "desc")
        .limit(1)
        .select(sql<number>`${sql.raw(lot)}`.as("lot"))
        .as("last"),
    ])
    .executeTakeFirstOrThrow();
  // Of so few, those that have a common word are soon read.
  if (!last || documents < 20 * most) return idsOf(db, all, most);
  const ids: number[] = [];
  let read = 0;
  // The newest may have just begun.
  for (let lots = 1 + Math.ceil(most / 1200); read + lots < last / 2;) {
    const next = Array.from({ length: lots }, (_, n) => last - read - n);
    ids.push(...(await idsOf(db, sql`${all} and ${sql.raw(lot)} = any(${next})`, most - ids.length)));
    if (ids.length >= most) return ids;
    read += lots;
    // As many as these tell, and twice as many in all at least: older ones may have fewer.
    lots = Math.max(read, Math.ceil((read * (most - ids.length)) / ids.length));
  }
  return idsOf(db, all, most);
}

function withTexts({ companyId, shelves: wanted, texts }: Having) {
  const all = (Object.entries(texts) as [Searched, string][]).map(([name, text]) =>
    contains(`documents.${searchedColumns[name]}`, text),
  );
  const onOne = wanted.map((shelf) => shelves[shelf]);
  return sql`documents where documents.company_id = ${companyId} and ${sql.join(all, sql` and `)}
    and (${sql.join(onOne, sql` or `)})`;
}

function rowsHaving({ companyId, texts }: Having, shelf: Shelf, afterId = 0) {
  const match = (Object.entries(texts) as [Searched, string][]).map(
    ([name, text]) => `${searchedColumns[name]} : "${fold(text).replaceAll('"', '""')}"`,
  );
  // As whole numbers: with others the index would read every company's part.
  const first = rowsOf(companyId, shelf);
  return sql`select rowid & 2147483647 as id from documents_text where documents_text match ${match.join(" AND ")}
    and rowid > ${first + BigInt(afterId)} and rowid < ${first + (1n << 31n)} order by rowid`;
}

/** Whether a column holds one of the ids, however many there are. */
export const among = (db: Db, column: string, ids: number[]) =>
  isPostgres(db)
    ? sql<SqlBool>`${sql.ref(column)} = any(${ids})`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;

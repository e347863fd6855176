import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { fold } from "#lib/text.ts";
import { containsIn } from "../../db/lists.ts";
import type { Db } from "../../db/tables.ts";
import { type ListOrArchive, listOrArchive } from "./indexes.ts";

/** Finds documents by the text index, which holds the three-letter pieces of names and numbers (`../migrations/001_tables/text-indexes.ts`). */

/** The columns that are searched, by the filter's name. One of several need have the text. */
export const searchedColumns = {
  name: ["name_key"],
  number: ["number_key"],
  name_or_number: ["name_key", "number_key"],
} as const;
type Searched = keyof typeof searchedColumns;

/** Shorter texts have no piece that the index knows. */
const pieceLength = 3;
export const isLongEnough = (text: string) => [...fold(text)].length >= pieceLength;

/** A company's documents that have all of the texts, in the list, the archive or both. */
export type TextMatch = {
  companyId: number;
  sides: readonly ListOrArchive[];
  texts: Partial<Record<Searched, string>>;
};

/** The ids of matches, `limit` at most: with PostgreSQL of the newest documents first. */
export async function matchingIds(db: Db, match: TextMatch, limit: number): Promise<number[]> {
  if (isPostgres(db)) return newestMatching(db, match, sql<SqlBool>`true`, limit);
  const ids: number[] = [];
  for (const side of match.sides) ids.push(...(await idsOf(db, rowsMatching(match, side), limit - ids.length)));
  return ids;
}

/** How many matches meet the residual condition; counting ends at `limit`. */
export async function countMatching(db: Db, match: TextMatch, residual: Expression<SqlBool>, limit: number) {
  if (isPostgres(db)) return (await newestMatching(db, match, residual, limit)).length;
  let total = 0;
  for (const side of match.sides) {
    let afterId: number | undefined = 0;
    while (afterId !== undefined && total < limit) {
      const batch: Batch = await countBatch(db, rowsMatching(match, side, afterId), residual);
      total += batch.matches;
      afterId = batch.lastId;
    }
  }
  return Math.min(total, limit);
}

const idsOf = async (db: Db, rows: RawBuilder<unknown>, limit: number) =>
  (await sql<{ id: number }>`${rows} limit ${limit}`.execute(db)).rows.map(({ id }) => id);

/** A batch's lookups take SQLite 1 to 3 ms, in which no other request is served. */
const batchSize = 1000;

type Batch = { matches: number; lastId: number | undefined };

/** Of one batch, how many meet the condition, and its last id if there may be others behind it. */
async function countBatch(db: Db, rows: RawBuilder<unknown>, residual: Expression<SqlBool>): Promise<Batch> {
  const counted = await sql<{ count: number; matches: number | null; lastId: number }>`
    select count(*) as count, sum(matches) as matches, max(id) as "lastId" from (
      select hits.id, ${residual} as matches from (${rows} limit ${batchSize}) as hits
      cross join documents on documents.id = hits.id) as checked`.execute(db);
  const { count, matches, lastId } = counted.rows[0]!;
  return { matches: matches ?? 0, lastId: count < batchSize ? undefined : lastId };
}

/** SQLite's rowids begin with the company and the side, so that a search reads nothing of others (`../migrations/001_tables/text-indexes.ts`). */
function rowsMatching({ companyId, texts }: TextMatch, side: ListOrArchive, afterId = 0) {
  const match = (Object.entries(texts) as [Searched, string][]).map(
    ([name, text]) => `{${searchedColumns[name].join(" ")}} : "${fold(text).replaceAll('"', '""')}"`,
  );
  // As whole numbers: with others the index would read every company's part.
  const first = (BigInt(companyId) << 32n) + (side === "archive" ? 1n << 31n : 0n);
  return sql`select rowid & 2147483647 as id from documents_text where documents_text match ${match.join(" AND ")}
    and rowid > ${first + BigInt(afterId)} and rowid < ${first + (1n << 31n)} order by rowid`;
}

/** PostgreSQL's text index tells in which block of so many ids, as a power of two, a document is. */
const blockBits = 14;
const block = `(id >> ${blockBits})`;

/** Matches per block from which reading the newest blocks first pays. */
const matchesPerBlock = 1200;

/**
 * PostgreSQL reads all that its index has of a word before it gives the first document: 135 ms if 3 % of a million
 * have it. The newest blocks have as many as are wanted after 37 ms. The count in the first of them tells how many more
 * to read; if that is half the company's, the whole index is read.
 */
async function newestMatching(db: Db, match: TextMatch, residual: Expression<SqlBool>, limit: number) {
  const rows = sql`select id from ${documentsWith(match)} and ${residual}`;
  const { documents, newest } = await sizeOf(db, match.companyId);
  // Among so few, documents with a common word are soon read.
  if (!newest || documents < 20 * limit) return idsOf(db, rows, limit);
  const ids: number[] = [];
  let blocksRead = 0;
  // The newest block may have just begun.
  let blocks = 1 + Math.ceil(limit / matchesPerBlock);
  while (blocksRead + blocks < newest / 2) {
    const next = Array.from({ length: blocks }, (_, n) => newest - blocksRead - n);
    ids.push(...(await idsOf(db, sql`${rows} and ${sql.raw(block)} = any(${next})`, limit - ids.length)));
    if (ids.length >= limit) return ids;
    blocksRead += blocks;
    // Older blocks may hold fewer, so at least as many again.
    blocks = Math.max(blocksRead, Math.ceil((blocksRead * (limit - ids.length)) / ids.length));
  }
  return idsOf(db, rows, limit);
}

/** How many documents a company has, and the block of the newest. */
const sizeOf = (db: Db, companyId: number) =>
  db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select((eb) => [
      "documents",
      eb
        .selectFrom("documents")
        .where("company_id", "=", companyId)
        .orderBy("created_at", "desc")
        .limit(1)
        .select(sql<number>`${sql.raw(block)}`.as("block"))
        .as("newest"),
    ])
    .executeTakeFirstOrThrow();

function documentsWith({ companyId, sides, texts }: TextMatch) {
  const all = (Object.entries(texts) as [Searched, string][]).map(([name, text]) =>
    containsIn("documents", searchedColumns[name], text),
  );
  return sql`documents where documents.company_id = ${companyId} and ${sql.join(all, sql` and `)}
    and (${sql.join(
      sides.map((side) => listOrArchive[side]),
      sql` or `,
    )})`;
}

import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { fold } from "#lib/text.ts";
import { isLongEnough } from "../documents/list/text-index.ts";
import { contains } from "./lists.ts";
import type { Db } from "./tables.ts";

/** Finds custom fields by the text index of their values (`migrations/001_tables/text-indexes.ts`). */

export type CustomValueHit = { document_id: number; n: number };

/** At most this many custom fields are found. */
const maxHits = 500;

/**
 * A company's custom fields that have a text of three letters or more, those of the newest documents first, and whether
 * there may be others.
 */
export async function customValueHits(db: Db, companyId: number, text: string) {
  const hits = isLongEnough(text) ? await newestHits(db, companyId, text) : [];
  return { hits, isPartial: hits.length === maxHits };
}

async function newestHits(db: Db, companyId: number, text: string): Promise<CustomValueHit[]> {
  const read = async (rows: RawBuilder<CustomValueHit>) => (await sql<CustomValueHit>`${rows}`.execute(db)).rows;
  if (!isPostgres(db)) return read(inSqlite(companyId, text));
  // PostgreSQL reads all that its index has of a text, so that a common one is looked for in the newest blocks first.
  const blocks = await newestBlocks(db, companyId);
  const newest = await read(inPostgres(companyId, text, sql`and (document_id >> 14) = any(${blocks})`));
  return newest.length === maxHits ? newest : read(inPostgres(companyId, text));
}

/** SQLite's rowids begin with the company, so that a search reads nothing of others. */
function inSqlite(companyId: number, text: string) {
  const first = BigInt(companyId) << 37n;
  const phrase = `"${fold(text).replaceAll('"', '""')}"`;
  return sql<CustomValueHit>`select rowid >> 6 & 2147483647 as document_id, rowid & 63 as n from custom_values
    where custom_values match ${phrase} and rowid > ${first} and rowid < ${first + (1n << 37n)}
    order by rowid desc limit ${maxHits}`;
}

const inPostgres = (companyId: number, text: string, condition = sql``) =>
  sql<CustomValueHit>`select document_id, n from custom_values
    where company_id = ${companyId} and ${contains("custom_values.value_key", text)} ${condition}
    order by document_id desc limit ${maxHits}`;

/** The blocks of the index in which a company's newest documents are. */
async function newestBlocks(db: Db, companyId: number) {
  const newest = await db
    .selectFrom("documents")
    .where("company_id", "=", companyId)
    .orderBy("created_at", "desc")
    .limit(1)
    .select("id")
    .executeTakeFirst();
  return newest ? [0, 1, 2, 3].map((n) => (newest.id >> 14) - n) : [];
}

import type { Kysely } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { newestSearched } from "../../contract/documents.ts";
import { countLimit } from "../../db/lists.ts";
import type { Tables } from "../../db/tables.ts";

/** Limits between strategies. The effect of each number: `docs/document-list.md`. */
export type Tuning = {
  /** Rows of an index that are read before other requests get their turn. */
  batchSize: number;
  /** At most this many matches are collected and sorted; beyond, an index in the list's order is read. */
  sortLimit: number;
  /** The limit of counting. */
  countLimit: number;
  /** The limit with a text in the text index, if each match is inspected. */
  textCountLimit: number;
  /** Texts of one or two letters are searched in this many of the newest documents. */
  newest: number;
};

export const tuningFor = (db: Kysely<Tables>): Tuning => ({
  batchSize: isPostgres(db) ? 100_000 : 20_000,
  sortLimit: 1000,
  countLimit,
  textCountLimit: 250,
  newest: newestSearched,
});

import { z } from "zod";

/**
 * What a backup consists of, as entries of an archive (`storage/archive.ts`), in this order: `manifest.json`; all rows as
 * `rows/TABLE/N.ndjson`, a list of values for each row, tables after those that they refer to; files as `files/KEY`; and
 * `totals.json`. Nothing of it depends on the kind of database.
 */

export const manifestName = "manifest.json";
export const totalsName = "totals.json";

export const Manifest = z.object({
  /** Counts up when older versions could not read it any more. */
  format: z.literal(1),
  /** The version of Sealdesk that made it. */
  version: z.string(),
  made_at: z.iso.datetime(),
  /** The migration steps that each room's tables had been through. */
  steps: z.record(z.string(), z.array(z.string()).min(1)),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The last number given to a row, for tables whose rows are numbered. */
  counters: z.record(z.string(), z.int()),
});
export type Manifest = z.output<typeof Manifest>;

export const Totals = z.object({
  /** Rows of each table. */
  rows: z.record(z.string(), z.int()),
  files: z.int(),
  bytes: z.int(),
  /** Files that a record let go of while the backup was made: the rows still name them. */
  gone: z.array(z.string()),
});
export type Totals = z.output<typeof Totals>;

import { z } from "zod";

/**
 * Entries of a backup's archive, in order: `manifest.json`, rows as lists of values in `rows/TABLE/N.ndjson`, referenced
 * tables first, `files/KEY`, and `totals.json`. None depends on the kind of database.
 */

export const manifestName = "manifest.json";
export const totalsName = "totals.json";

export const Manifest = z.object({
  /** Increased by changes that older versions can't read. */
  format: z.literal(1),
  version: z.string(),
  made_at: z.iso.datetime(),
  /** Applied migrations by owner of tables. */
  steps: z.record(z.string(), z.array(z.string()).min(1)),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The last id of each table with generated ids. */
  counters: z.record(z.string(), z.int()),
});
export type Manifest = z.output<typeof Manifest>;

export const Totals = z.object({
  rows: z.record(z.string(), z.int()),
  files: z.int(),
  bytes: z.int(),
  /** Files deleted during the backup, which its rows still reference. */
  gone: z.array(z.string()),
});
export type Totals = z.output<typeof Totals>;

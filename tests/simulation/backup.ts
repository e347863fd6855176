import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { participants } from "#commands/participants.ts";
import { derivedTables } from "#provider/db/derived-tables.ts";
import type { Disk } from "./disk.ts";
import type { Place, Process } from "./process.ts";

/** Last night's backup, and what restoring it does to an SQLite database. */

export type Backup = { at: Date; file: string; files: ReturnType<Disk["copy"]> };

export async function copyDatabase({ services }: Process, { directory }: Place): Promise<string> {
  const file = join(directory, "backup.db");
  rmSync(file, { force: true });
  await sql`vacuum into ${sql.lit(file)}`.execute(services.db);
  return file;
}

export function returnDatabase(file: string, { directory }: Place) {
  const database = join(directory, "sealdesk.db");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
  copyFileSync(file, database);
}

/** Removes what a backup does not have, and what must not return with it. */
export async function clearAfterRestore({ services: { db } }: Process) {
  const { excludedTables = [], afterRestore } = participants.provider!;
  const tables: readonly string[] = derivedTables;
  for (const table of excludedTables.filter((name) => !tables.includes(name))) {
    await (db as Kysely<any>).deleteFrom(table).execute();
  }
  await afterRestore?.(db);
}

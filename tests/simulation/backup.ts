import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { participants } from "#commands/participants.ts";
import { derivedTables } from "#provider/db/derived-tables.ts";
import type { Disk } from "./disk.ts";

/** Last night's backup, and what restoring it does. No process has the database open. */

export type Backup = { at: Date; files: ReturnType<Disk["copy"]> };

/** A database that is copied, and that goes back to its last copy. */
export type Copies = { copy(): Promise<void>; restore(): Promise<void> };

export function sqliteCopies(directory: string): Copies {
  const [database, backup] = [join(directory, "sealdesk.db"), join(directory, "backup.db")];
  return {
    copy: async () => copyFileSync(database, backup),
    async restore() {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
      copyFileSync(backup, database);
    },
  };
}

/** Removes what a backup does not have, and what must not return with it. */
export async function clearAfterRestore(db: Kysely<any>) {
  const { excludedTables = [], afterRestore } = participants.provider!;
  const tables: readonly string[] = derivedTables;
  for (const table of excludedTables.filter((name) => !tables.includes(name))) {
    await db.deleteFrom(table).execute();
  }
  await afterRestore?.(db);
}

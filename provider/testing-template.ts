import { openDatabase } from "#storage/database.ts";
import { migrations } from "./db/migrations.ts";
import { writeReference } from "./db/reference.ts";
import type { Tables } from "./db/tables.ts";

/** The password of all users of tests. */
export const password = "correct horse battery";

/** Fills an empty database with the provider's tables and reference rows, for tests to copy. */
export async function makeTemplate(where: { url?: string; directory: string }) {
  const database = openDatabase(where);
  await database.migrate("provider", migrations);
  await writeReference(database.tables<Tables>());
  await database.close();
}

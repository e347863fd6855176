import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { newDatabase } from "./testing-postgres.ts";

/** For tests: an empty database of the kind that the test runs on, SQLite in a folder or PostgreSQL. */
export async function emptyDatabase(directory: string): Promise<{ open(): Database; drop(): Promise<void> }> {
  if (inject("database") === "sqlite") return { open: () => openDatabase({ directory }), drop: async () => {} };
  const { url, drop } = await newDatabase(inject("postgresUrl"));
  return { open: () => openDatabase({ url, directory }), drop };
}

/** For tests: the same with the provider's tables, a copy of the run's template. */
export async function templateDatabase(directory: string): Promise<{ open(): Database; drop(): Promise<void> }> {
  if (inject("database") === "sqlite") {
    await copyFile(inject("template"), join(directory, "sealdesk.db"));
    return { open: () => openDatabase({ directory }), drop: async () => {} };
  }
  const { url, drop } = await newDatabase(inject("postgresUrl"), inject("template"));
  return { open: () => openDatabase({ url, directory }), drop };
}

/** Empty databases are skipped where PostgreSQL can't be had; the setup has said so. */
export const hasDatabase = () => inject("database") === "sqlite" || inject("postgresUrl") !== "";

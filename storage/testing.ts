import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "./database.ts";

/** For tests: an empty database of the kind that the test runs on, SQLite in a folder or PostgreSQL. */
export async function emptyDatabase(directory: string): Promise<{ open(): Database; drop(): Promise<void> }> {
  if (inject("database") === "sqlite") return { open: () => openDatabase({ directory }), drop: async () => {} };
  const { url, drop } = await emptyPostgres();
  return { open: () => openDatabase({ url, directory }), drop };
}

/** Empty databases are skipped where PostgreSQL can't be had; the setup has said so. */
export const hasDatabase = () => inject("database") === "sqlite" || inject("postgresUrl") !== "";

async function emptyPostgres() {
  const server = inject("postgresUrl");
  const name = `sealdesk_${randomUUID().replaceAll("-", "")}`;
  const asServer = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await asServer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asServer(`drop database ${name} with (force)`) };
}

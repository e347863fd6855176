import { randomUUID } from "node:crypto";
import pg from "pg";

/** Runs one statement on a PostgreSQL server. */
export async function onServer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** For tests: makes a database of its own on a PostgreSQL server, empty or a copy of `template`. */
export async function newDatabase(server: string, template?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `sealdesk_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, `create database ${name}${template ? ` template ${template}` : ""}`);
  return { url: urlOf(server, name), drop: () => onServer(server, `drop database ${name} with (force)`) };
}

/** The address of another database on the same server. */
export const urlOf = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;

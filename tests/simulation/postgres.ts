import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { makeTemplate } from "../fixtures/template.ts";
import { newDatabase, startPostgres } from "../support/postgres.ts";
import { setLockWatch } from "./gates.ts";
import type { Place } from "./process.ts";

/** A PostgreSQL server for runs, and a template of their databases. */
async function openServer() {
  const server = await startPostgres();
  if ("missing" in server) throw new Error(server.missing);
  const template = await newDatabase(server.url);
  await makeTemplate({ url: template.url, directory: "" });
  const admin = new pg.Client(server.url);
  await admin.connect();
  return { url: server.url, template: new URL(template.url).pathname.slice(1), admin };
}

let opened: ReturnType<typeof openServer> | undefined;

/** A database with empty tables. Statements that wait for a lock do not keep the scheduler waiting. */
export async function newPostgres(): Promise<Place> {
  const { url: server, template, admin } = await (opened ??= openServer());
  const { url } = await newDatabase(server, template);
  const database = new URL(url).pathname.slice(1);
  setLockWatch(async (statements) => {
    // `wait_event` still says that a statement waits which has its lock, and had no time on a processor since.
    const waiting = `select count(distinct pid)::int as n from pg_locks join pg_stat_activity using (pid)
      where datname = $1 and not granted`;
    const { rows } = await admin.query<{ n: number }>(waiting, [database]);
    return rows[0]!.n === statements;
  });
  const becomes = async (copy: string, original: string) => {
    await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [original]);
    await admin.query(`drop database if exists ${copy} with (force)`);
    await admin.query(`create database ${copy} template ${original}`);
  };
  return {
    directory: mkdtempSync(join(tmpdir(), "sealdesk-simulation-")),
    url,
    copy: () => becomes(`${database}_backup`, database),
    restore: () => becomes(database, `${database}_backup`),
    async endBackends(backends) {
      await admin.query("select pg_terminate_backend(pid, 5000) from unnest($1::int[]) as pid", [backends]);
    },
  };
}

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stores } from "./command.ts";
import { onServer, startOwnPostgres } from "./postgres.ts";
import { sampleData } from "./sample.ts";
import { startServer, type TestServer } from "./server.ts";
import { inDatabase } from "./stored.ts";

/** Where a server that is killed again and again keeps its rows, filled with the sample company. */
export type KilledStorage = {
  start(): Promise<TestServer>;
  /** What a power cut does to the database besides. */
  crash(): void;
  /** The settings of commands beside the server. */
  stores: Stores;
  /** Whether what was cut off is swept at the next start; if other machines may be at work it takes a day. */
  sweepsAtStart: boolean;
  /** Returns the first column of a query's rows. */
  values(query: string): Promise<unknown[]>;
  end(): void;
};

type Open = (env?: Record<string, string>) => Promise<KilledStorage | undefined>;

const onSqlite: Open = async (env = {}) => {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-killed-"));
  cpSync(sampleData, data, { recursive: true });
  return {
    start: () => startServer({ on: data, env }),
    crash: () => {},
    stores: { DATA_DIR: data, ...env },
    sweepsAtStart: true,
    values: async (query) => inDatabase({ data }, (db) => db.prepare(query).pluck().all()),
    end: () => rmSync(data, { recursive: true }),
  };
};

const secret = "the-same-at-every-start-of-this-test";

const onPostgres: Open = async (env = {}) => {
  const postgres = await startOwnPostgres();
  if ("missing" in postgres) return undefined;
  const data = mkdtempSync(join(tmpdir(), "sealdesk-killed-"));
  const settings = { DATABASE_URL: postgres.url, SESSION_SECRET: secret, SEAL_SECRET: secret, ...env };
  await (await startServer({ on: data, env: settings, seeded: true })).stop();
  return {
    start: () => startServer({ on: data, env: settings }),
    crash() {
      postgres.crash();
      postgres.resume();
    },
    stores: { DATA_DIR: data, ...settings },
    sweepsAtStart: false,
    values: async (query) => (await onServer(postgres.url, query)).map((row) => Object.values(row)[0]),
    end() {
      postgres.stop();
      rmSync(data, { recursive: true });
    },
  };
};

/** Opens one of its own, by the name of the database; undefined if there is no such database. */
export const killedStorages = { SQLite: onSqlite, PostgreSQL: onPostgres };

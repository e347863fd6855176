import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, createWriteStream, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Sqlite from "better-sqlite3";
import { environment } from "#lib/config.ts";
import { migrations } from "#provider/db/migrations.ts";
import { readArchive, writeArchive } from "#lib/storage/files/archive.ts";
import { migrateWithin } from "#lib/storage/database/migrate.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import { inTransaction } from "#lib/storage/database/rows.ts";
import { newDatabase, onServer } from "./postgres.ts";

export { migrations };

/** A process's database and files, as environment variables. */
export type Stores = {
  DATA_DIR: string;
  DATABASE_URL?: string;
  SESSION_SECRET?: string;
  SEAL_SECRET?: string;
};

/** The same with other settings beside. */
export const withSettings = <More extends Record<string, string>>(stores: Stores, more: More): Stores & More => ({
  ...stores,
  ...more,
});

/** Makes empty stores, on SQLite or with a database of their own on a PostgreSQL server. */
export async function emptyStores(postgres?: string): Promise<Stores> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "sealdesk-stores-"));
  if (!postgres) return { DATA_DIR };
  return { DATA_DIR, DATABASE_URL: (await newDatabase(postgres)).url, ...secrets };
}

const everywhere = "the-same-on-every-machine--and-long-enough";

/** Runs a statement on stores that no process uses. Returns its rows. */
export async function onStores(
  { DATA_DIR, DATABASE_URL }: Stores,
  statement: string,
): Promise<Record<string, unknown>[]> {
  if (DATABASE_URL) return onServer(DATABASE_URL, statement);
  const sqlite = new Sqlite(join(DATA_DIR, "sealdesk.db"));
  try {
    const prepared = sqlite.prepare<[], Record<string, unknown>>(statement);
    if (prepared.reader) return prepared.all();
    prepared.run();
    return [];
  } finally {
    sqlite.close();
  }
}

/** What every process on a shared database needs. */
export const secrets = { SESSION_SECRET: everywhere, SEAL_SECRET: everywhere };

/** Starts an operator command, as built, in a process of its own. */
export const startCommand = (stores: Stores, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, "..", "..", "build/server/cli.js"), ...args], {
    env: { ...environment, ...stores },
    stdio: "pipe",
  });

export type CommandResult = { exitCode: number | null; stdout: string; stderr: string };

/** Returns what a command printed, and its exit code, once it has ended. */
export async function resultOf(command: ChildProcess): Promise<CommandResult> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  command.stdout!.on("data", (chunk: Buffer) => stdout.push(chunk));
  command.stderr!.on("data", (chunk: Buffer) => stderr.push(chunk));
  const exitCode = await new Promise<number | null>((resolve) => command.once("close", resolve));
  return { exitCode, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

/** Runs a command with nothing on its standard input. */
export function runCommand(stores: Stores, ...args: string[]): Promise<CommandResult> {
  const command = startCommand(stores, ...args);
  command.stdin!.end();
  return resultOf(command);
}

/** Makes the tables of the first released version, with one row. */
export async function makeFirstVersion({ DATA_DIR }: Stores) {
  const database = await openDatabase({ directory: DATA_DIR });
  const db = database.tables<{ help_items: { id: number; question: string; answer: string } }>();
  await inTransaction(db, async (change) => {
    await migrateWithin(change, "provider", migrations, Object.keys(migrations)[0]);
    await change.insertInto("help_items").values({ id: 1, question: "How old is this?", answer: "Old." }).execute();
  });
  await database.close();
}

/** Writes a file in the format of a backup: these entries after a manifest of only the migrations. */
export async function forgeBackup(path: string, steps: Record<string, string[]>, entries: Record<string, string>) {
  const manifest = { format: 1, version: "0", made_at: new Date().toISOString(), steps, tables: [], counters: {} };
  const { signal } = new AbortController();
  await writeArchive(createWriteStream(path), { gzip: false, signal }, async (archive) => {
    await archive.add("manifest.json", JSON.stringify(manifest));
    for (const [name, content] of Object.entries(entries)) await archive.add(name, content);
  });
}

/** The text of each entry of a backup or an export. */
export async function entriesOf(file: string): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  const { signal } = new AbortController();
  for await (const { name, content } of readArchive(createReadStream(file), signal))
    entries[name] = await text(content);
  return entries;
}

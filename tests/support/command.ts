import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "#config";
import { migrations } from "#provider/db/migrations.ts";
import { writeArchive } from "#storage/archive.ts";
import { migrateWithin } from "#storage/migrate.ts";
import { openDatabase } from "#storage/open-database.ts";
import { inTransaction } from "#storage/rows.ts";
import { newDatabase } from "./postgres.ts";

/** The commands of the one who runs Sealdesk, as built, in processes of their own. */

/** Where a process keeps rows and files, as environment variables. */
export type Place = { DATA_DIR: string; DATABASE_URL?: string; SESSION_SECRET?: string };

/** An empty place with SQLite, or with a database of its own on a PostgreSQL server. */
export async function emptyPlace(postgres?: string): Promise<Place> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "sealdesk-place-"));
  if (!postgres) return { DATA_DIR };
  return { DATA_DIR, DATABASE_URL: (await newDatabase(postgres)).url, SESSION_SECRET };
}

const SESSION_SECRET = "the-same-on-every-machine--and-long-enough";

/** Starts a command in a place. */
export const startCommand = (place: Place, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, "..", "..", "build", "server", "cli.js"), ...args], {
    env: { ...environment, ...place },
    stdio: "pipe",
  });

export type Ended = { code: number | null; out: string; told: string };

/** What a command printed on both streams, and its code, once it has ended. */
export async function ended(command: ChildProcess): Promise<Ended> {
  const [out, told]: [Buffer[], Buffer[]] = [[], []];
  command.stdout!.on("data", (chunk: Buffer) => out.push(chunk));
  command.stderr!.on("data", (chunk: Buffer) => told.push(chunk));
  const code = await new Promise<number | null>((resolve) => command.once("close", resolve));
  return { code, out: Buffer.concat(out).toString(), told: Buffer.concat(told).toString() };
}

/** Runs a command in a place, with nothing on its standard input. */
export function run(place: Place, ...args: string[]): Promise<Ended> {
  const command = startCommand(place, ...args);
  command.stdin!.end();
  return ended(command);
}

/** Makes the tables of a place as the first version of Sealdesk made them, with one row in them. */
export async function makeFirstTables({ DATA_DIR }: Place) {
  const database = openDatabase({ directory: DATA_DIR });
  const db = database.tables<{ help_items: { id: number; question: string; answer: string } }>();
  await inTransaction(db, async (change) => {
    await migrateWithin(change, "provider", migrations, Object.keys(migrations)[0]);
    await change.insertInto("help_items").values({ id: 1, question: "How old is this?", answer: "Old." }).execute();
  });
  await database.close();
}

/** Writes a file in the form of a backup, with these entries after a manifest of nothing but the steps. */
export async function makeUpBackup(path: string, steps: Record<string, string[]>, entries: Record<string, string>) {
  const manifest = { format: 1, version: "0", made_at: new Date().toISOString(), steps, tables: [], counters: {} };
  const { signal } = new AbortController();
  await writeArchive(createWriteStream(path), { gzip: false, signal }, async (archive) => {
    await archive.add("manifest.json", JSON.stringify(manifest));
    for (const [name, content] of Object.entries(entries)) await archive.add(name, content);
  });
}

import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { jobMigrations } from "#storage/job-table.ts";
import { draftMigrations, type DraftTables } from "#app/server/drafts/tables.ts";
import { violations } from "#provider/db/consistency.ts";
import { derivedTables } from "#provider/db/derived-tables.ts";
import { migrations } from "#provider/db/migrations.ts";
import type { Tables } from "#provider/db/tables.ts";
import {
  isReferenced,
  clearReference,
  type ReferencedFile,
  referencedFiles,
} from "#provider/files/referenced-files.ts";
import { referencedKeys } from "#provider/files/orphans.ts";
import { Failed } from "./command.ts";

/**
 * What the commands know of those that keep rows in the same database: the provider, and the web app with its drafts.
 * The one place where the provider's folder knows of the web app.
 */
export type Room = {
  migrations: Record<string, Migration>;
  neededFiles?(db: Kysely<any>): AsyncIterable<ReferencedFile>;
  /** How many bytes those files have, as far as their records know. */
  neededBytes?(db: Kysely<any>): Promise<number>;
  /** Whether a record still names a file that may go. */
  isNeeded?(db: Kysely<any>, key: string): Promise<boolean>;
  /** Takes a file that is gone out of the records that name it. */
  letGo?(db: Kysely<any>, key: string): Promise<void>;
  /** For what lies directly below each of these prefixes: which of some keys records have. */
  keptBelow?: Record<string, (db: Kysely<any>, keys: string[]) => Promise<(string | null)[]>>;
  /** What does not hold between its rows, in a line each. */
  faults?(db: Kysely<any>): AsyncIterable<string>;
  /** Tables whose rows no backup keeps. */
  leftOut?: string[];
  /** Removes what must not come back with a backup. */
  forget?(db: Kysely<any>): Promise<void>;
};

const rooms: Record<string, Room> = {
  provider: {
    migrations,
    neededFiles: referencedFiles,
    neededBytes: (db: Kysely<Tables>) => sumOfBytes(db, "page_files"),
    isNeeded: isReferenced,
    letGo: clearReference,
    keptBelow: referencedKeys,
    faults: violations,
    leftOut: [
      // Thrown away each day, so that the addresses of strangers can't be compared for longer.
      "address_salts",
      // What was sent since would be sent again, and their texts carry links.
      "outbox",
      "reset_requests",
      // Triggers fill them again.
      ...derivedTables,
    ],
    // Those that were ended since, because somebody left or lost a telephone, would be good again.
    async forget(db: Kysely<Tables>) {
      await db.deleteFrom("tokens").where("kind", "in", ["session", "reset", "email"]).execute();
    },
  },
  /** What is due when is told anew at each start. */
  jobs: { migrations: jobMigrations, leftOut: ["jobs"] },
  web: {
    migrations: draftMigrations,
    async *neededFiles(db: Kysely<DraftTables>) {
      for (let after = ""; ;) {
        const files = await db
          .selectFrom("draft_files")
          .select(["key", "draft_id", "n", "bytes"])
          .where("key", ">", after)
          .orderBy("key")
          .limit(500)
          .execute();
        for (const { key, draft_id, n, bytes } of files) {
          yield { key, of: `draft ${draft_id}, page file ${n}`, bytes, isOptional: true };
        }
        if (files.length === 0) return;
        after = files.at(-1)!.key;
      }
    },
    neededBytes: (db: Kysely<DraftTables>) => sumOfBytes(db, "draft_files"),
    isNeeded: async (db: Kysely<DraftTables>, key) =>
      (await db.selectFrom("draft_files").select("key").where("key", "=", key).executeTakeFirst()) !== undefined,
    async letGo(db: Kysely<DraftTables>, key) {
      await db.deleteFrom("draft_files").where("key", "=", key).execute();
    },
    keptBelow: {
      async drafts(db: Kysely<DraftTables>, keys) {
        const ids = keys.map((key) => key.slice("drafts/".length));
        const rows = await db.selectFrom("draft_files").select("draft_id").where("draft_id", "in", ids).execute();
        return rows.map(({ draft_id }) => `drafts/${draft_id}`);
      },
    },
  },
};

async function sumOfBytes(db: Kysely<any>, table: string): Promise<number> {
  const { bytes } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.sum<number | null>("bytes").as("bytes"))
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

/** The rooms whose tables went through these steps. Refuses what a newer Sealdesk made. */
export function knownRooms(steps: Record<string, string[]>, what: string): (Room & { name: string })[] {
  return Object.entries(steps).map(([name, taken]) => {
    const room = rooms[name];
    const unknown = room ? taken.find((step) => !(step in room.migrations)) : "its tables";
    if (!room || unknown) {
      throw new Failed(`${what} is of a newer Sealdesk than this one: ${name}, ${unknown}. Use that version.`);
    }
    return { name, ...room };
  });
}

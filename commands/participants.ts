import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { NewerSchema } from "#lib/storage/database/schema-guard.ts";
import { jobMigrations } from "#lib/storage/job-table.ts";
import { draftMigrations, type DraftTables } from "#app/server/drafts/tables.ts";
import { violations } from "#provider/db/consistency.ts";
import { repairCounters } from "#provider/db/derived-counters.ts";
import { derivedTables } from "#provider/db/derived-tables.ts";
import { migrations } from "#provider/db/migrations.ts";
import type { Tables } from "#provider/db/tables.ts";
import {
  isReferenced,
  clearReference,
  type ReferencedFile,
  referencedFiles,
} from "#provider/files/referenced-files.ts";
import { endOrigin } from "#provider/log/origins.ts";
import { retireLostKeys } from "#provider/seal/keys/stored-keys.ts";
import { referencedKeys } from "#provider/files/orphans.ts";
import { disableWithoutKeys } from "#provider/webhooks/disable.ts";

/** An owner of tables in the database, as backup, restore and verify treat it. */
export type Participant = {
  migrations: Record<string, Migration>;
  neededFiles?(db: Kysely<any>): AsyncIterable<ReferencedFile>;
  /** The bytes of those files, as far as records know. */
  neededBytes?(db: Kysely<any>): Promise<number>;
  /** Whether a record still references a file that may be deleted. */
  isNeeded?(db: Kysely<any>, key: string): Promise<boolean>;
  /** Clears references to a deleted file. */
  clearReference?(db: Kysely<any>, key: string): Promise<void>;
  /** By prefix: those of some keys directly below it that records reference. */
  referencedBelow?: Record<string, (db: Kysely<any>, keys: string[]) => Promise<(string | null)[]>>;
  /** Broken invariants, a line each. */
  faults?(db: Kysely<any>): AsyncIterable<string>;
  /** Recounts what is derived from other rows. */
  repair?(db: Kysely<any>): Promise<void>;
  excludedTables?: string[];
  /** Removes rows that must not return with a backup; returns what the operator should know, a sentence each. */
  afterRestore?(db: Kysely<any>): Promise<string[]>;
};

const lostKeys =
  "The private seal keys were not restored: the next seal makes a new root certificate. Earlier ones stay published as retired, and what they sealed stays valid. An exported root can be returned before: seal-keys return-root FILE";

const endedLog = (name: string) =>
  `The log ${name} has ended, as it may have had entries that were not restored: the server begins a new one, whose key witnesses need.`;

const removedRoot =
  "The root's private key had been removed from the server before the backup was made. New company keys need it: return it with seal-keys return-root FILE, or make a new root with seal-keys rotate --all --new-root.";
const lostCompanyKeys =
  "The private keys of companies were not restored: their next seals need new ones. Earlier ones stay published as retired, and what they sealed stays valid.";

/** By the name under which their migrations are recorded. */
export const participants: Record<string, Participant> = {
  provider: {
    migrations,
    neededFiles: referencedFiles,
    neededBytes: async (db: Kysely<Tables>) =>
      (await sumOfBytes(db, "page_files")) +
      (await sumOfBytes(db, "sealed_files")) +
      (await sumOfBytes(db, "templates")) +
      (await sumOfBytes(db, "bulk_issues", "archive_bytes")),
    isNeeded: isReferenced,
    clearReference,
    referencedBelow: referencedKeys,
    faults: violations,
    repair: repairCounters,
    excludedTables: [
      // Deleted daily, so that scanners' addresses can't be compared for longer.
      "address_salts",
      // Messages sent since would be sent again, and they carry links.
      "outbox",
      "reset_requests",
      // Of minutes, and of sessions.
      "sign_in_attempts",
      "identity_sessions",
      // Previews of a day, with personal data.
      "imports",
      "import_rows",
      // Triggers fill them again.
      ...derivedTables,
      // Its job makes them again.
      "status_lists",
      // Messages sent since would be sent again, and deliveries hold replies of others' servers.
      "webhook_deliveries",
      "webhook_attempts",
      // Of links and codes, and sent since.
      "holder_tokens",
      "recipient_mails",
      // Of this installation's receiver.
      "audit_shipping",
      "audit_queue",
    ],
    // Sessions ended since then, because a user left or lost a phone, would be valid again.
    async afterRestore(db: Kysely<Tables>) {
      const ended = ["session", "reset", "email", "factor", "passkey", "sign-in"] as const;
      await db.deleteFrom("tokens").where("kind", "in", ended).execute();
      // So would recovery codes that were used since.
      await db.deleteFrom("recovery_codes").execute();
      // So would secret addresses that their users have ended.
      await db.deleteFrom("calendar_feeds").execute();
      await db.deleteFrom("wallet_secrets").execute();
      // So would links to documents that were ended, and mails with them would be sent again.
      await db.deleteFrom("recipient_mails").execute();
      await db.deleteFrom("holder_tokens").execute();
      const webhooks = (await disableWithoutKeys(db, new Date())) ? [lostWebhookKeys] : [];
      // So would revoked API keys.
      await db.deleteFrom("api_keys").execute();
      const logs = await endOrigin(db, new Date());
      const notes = [...webhooks, ...logs.map(({ name }) => endedLog(name))];
      const { isRootLost, areKeysLost, isRootRemoved } = await retireLostKeys(db, new Date());
      if (!isRootRemoved) return isRootLost ? [lostKeys, ...notes] : notes;
      return [...(areKeysLost ? [lostCompanyKeys] : []), removedRoot, ...notes];
    },
  },
  jobs: { migrations: jobMigrations, excludedTables: ["jobs", "backup_runs", "heartbeats"] },
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
    async clearReference(db: Kysely<DraftTables>, key) {
      await db.deleteFrom("draft_files").where("key", "=", key).execute();
    },
    referencedBelow: {
      async drafts(db: Kysely<DraftTables>, keys) {
        const drafts = keys.map((key) => key.slice("drafts/".length));
        const rows = await db.selectFrom("draft_files").select("draft_id").where("draft_id", "in", drafts).execute();
        return rows.map(({ draft_id }) => `drafts/${draft_id}`);
      },
    },
  },
};

const lostWebhookKeys =
  "The keys of webhooks were not restored, so that these are off: companies make new ones on their pages, and give them to their receivers.";

async function sumOfBytes(db: Kysely<any>, table: string, column = "bytes"): Promise<number> {
  const { bytes } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.sum<number | null>(column).as("bytes"))
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

/** The owners of applied migrations. Throws if a newer Sealdesk applied one. */
export function participantsOf(applied: Record<string, string[]>, source: string): (Participant & { name: string })[] {
  return Object.entries(applied).map(([name, migrations]) => {
    const participant = participants[name];
    const unknown = participant ? migrations.find((one) => !(one in participant.migrations)) : "its tables";
    if (!participant || unknown) {
      throw new NewerSchema(source, name, unknown ?? "its tables");
    }
    return { name, ...participant };
  });
}

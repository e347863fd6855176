import type { Migration } from "kysely/migration";
import type { Kind } from "#page-files/kinds.ts";
import { draftLimits } from "./steps/002_draft_limits.ts";

/**
 * Documents in the making. They live with the web app, so that the wizard works in front of any provider. Instants
 * are ISO-8601 text in UTC.
 */
export type DraftTables = {
  drafts: {
    id: string;
    user_id: number;
    /** JSON: what was typed so far, by field name, as it was typed. */
    values: string;
    /** JSON: what the provider refused when it was to be issued, by field name. */
    refusal: string | null;
    /** How many times it was saved. */
    version: number;
    /** Set once the document is issued: the draft is over, and only knows where it went if the provider said so. */
    issued_at: string | null;
    document_id: number | null;
    updated_at: string;
    expires_at: string;
  };
  draft_files: {
    /** Its key in the store. */
    key: string;
    draft_id: string;
    n: number;
    name: string;
    type: Kind;
    bytes: number;
    pages: number;
    width: number;
    height: number;
  };
  /** Forms that were sent after the session had ended, as they were sent: one of each session. */
  interrupted_forms: {
    /** A digest of the token that the session had. */
    session: string;
    /** By which its browser asks for it. */
    id: string;
    /** A keyed digest of the client's network. */
    network: string;
    /** How often it was stored since it last expired. */
    times: number;
    path: string;
    body: string;
    /** Of the body. */
    bytes: number;
    expires_at: string;
  };
  /** Rows to lock (`lock.ts`). */
  draft_locks: { name: string };
};

export const draftMigrations: Record<string, Migration> = {
  "001_drafts": {
    async up(db) {
      await db.schema
        .createTable("drafts")
        .addColumn("id", "text", (c) => c.primaryKey())
        // Of whichever provider: its numbers may be larger than ours.
        .addColumn("user_id", "bigint", (c) => c.notNull())
        .addColumn("values", "text", (c) => c.notNull())
        .addColumn("refusal", "text")
        .addColumn("version", "integer", (c) => c.notNull())
        .addColumn("issued_at", "text")
        .addColumn("document_id", "bigint")
        .addColumn("updated_at", "text", (c) => c.notNull())
        .addColumn("expires_at", "text", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("drafts_by_user").on("drafts").columns(["user_id", "expires_at"]).execute();
      await db.schema.createIndex("drafts_by_expiry").on("drafts").column("expires_at").execute();
      await db.schema
        .createTable("draft_files")
        .addColumn("key", "text", (c) => c.primaryKey())
        .addColumn("draft_id", "text", (c) => c.notNull().references("drafts.id").onDelete("cascade"))
        .addColumn("n", "integer", (c) => c.notNull())
        .addColumn("name", "text", (c) => c.notNull())
        .addColumn("type", "text", (c) => c.notNull())
        .addColumn("bytes", "integer", (c) => c.notNull())
        .addColumn("pages", "integer", (c) => c.notNull())
        .addColumn("width", "integer", (c) => c.notNull())
        .addColumn("height", "integer", (c) => c.notNull())
        .execute();
      await db.schema
        .createTable("interrupted_forms")
        .addColumn("id", "text", (c) => c.primaryKey())
        .addColumn("path", "text", (c) => c.notNull())
        .addColumn("body", "text", (c) => c.notNull())
        .addColumn("expires_at", "text", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("draft_files_by_draft").on("draft_files").columns(["draft_id", "n"]).execute();
    },
  },
  "002_draft_limits": { up: draftLimits },
};

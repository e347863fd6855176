import type { Migration } from "kysely/migration";
import type { Kind } from "#page-files/kinds.ts";
import { up as drafts } from "./migrations/001_drafts.ts";
import { up as draftLimits } from "./migrations/002_draft_limits.ts";

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

/** Migrations of these tables, in order. A released one never changes. */
export const draftMigrations: Record<string, Migration> = {
  "001_drafts": { up: drafts },
  "002_draft_limits": { up: draftLimits },
};

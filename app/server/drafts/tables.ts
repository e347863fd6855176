import type { Migration } from "kysely/migration";
import type { FileType } from "#lib/page-files/file-types.ts";
import { up as tables } from "./migrations/001_tables.ts";
import { up as readings } from "./migrations/002_readings.ts";

/** Stored by the web app, so that the wizard works with any provider. Times are ISO 8601 text in UTC. */
export type DraftTables = {
  drafts: {
    id: string;
    user_id: number;
    /** JSON, see `DraftValues`. */
    values: string;
    /** JSON: the provider's errors by field name. */
    refusal: string | null;
    version: number;
    issued_at: string | null;
    document_id: number | null;
    updated_at: string;
    expires_at: string;
  };
  draft_files: {
    key: string;
    draft_id: string;
    n: number;
    name: string;
    type: FileType;
    bytes: number;
    pages: number;
    width: number;
    height: number;
    /** JSON: a list of what was noted, as predicates to its name. */
    notes: string;
    /** Where a code would lie over something (`lib/page-files/notes/covered.ts`). */
    covered: string;
    /** JSON: what its pages say of which fields (`readings.ts`); null before they are read. */
    readings: string | null;
  };
  interrupted_forms: {
    /** A digest of the ended session's token. */
    session: string;
    id: string;
    network: string;
    times: number;
    path: string;
    body: string;
    bytes: number;
    expires_at: string;
  };
  draft_locks: { name: string };
};

/** A released migration never changes. */
export const draftMigrations: Record<string, Migration> = {
  "001_tables": { up: tables },
  "002_readings": { up: readings },
};

import type { Generated } from "kysely";
import type { ImportKind, ImportRowState, ImportStatus } from "../../contract/imports.ts";

/** Kept for days only, and not in backups. */
export type ImportTables = {
  imports: {
    id: Generated<number>;
    company_id: number;
    /** Who imports, with whose rights each row is applied. */
    user_id: number;
    kind: ImportKind;
    /** The file's name. */
    file: string;
    /** The file in the store. */
    table_key: Generated<string | null>;
    /** JSON: how it was read (`contract/table-reading.ts`). */
    table_facts: Generated<string>;
    /** JSON: the file's headings. */
    columns: string;
    status: ImportStatus;
    /** Whether a row changes an address that a user signs in with. */
    needs_proof: number;
    /** The event that a running import waits for. */
    waiting: Generated<string>;
    /** Until when it waits; empty while it does not. */
    waits_until: Generated<string>;
    created_at: string;
    expires_at: string;
  };
  import_rows: {
    id: Generated<number>;
    import_id: number;
    line: number;
    /** Null for a new record. */
    record_id: number | null;
    name: string;
    state: ImportRowState;
    /** Why it was refused. */
    why: string;
    /** JSON: [{field, before, after}]. */
    changes: string;
    /** JSON: the file's cells. */
    cells: string;
    /** JSON: the body of the call that applies it; null if there is nothing to apply. */
    given: string | null;
  };
};

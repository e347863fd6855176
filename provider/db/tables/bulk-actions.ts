import type { Generated } from "kysely";
import type { BulkNoun, BulkRowState } from "../../contract/bulk-actions.ts";

/** Acts on many records at once (`bulk-actions/`). */
export type BulkActionTables = {
  bulk_actions: {
    id: Generated<number>;
    company_id: number;
    user_id: number;
    noun: BulkNoun;
    act: string;
    /** JSON: what the act needs beside the record, by name. */
    parameters: string;
    created_at: string;
    finished_at: string | null;
    /** The action that this one reverses. */
    undo_of: number | null;
    /** Sent again with the same key, it is the same action. */
    key: string | null;
  };
  bulk_action_rows: {
    id: Generated<number>;
    bulk_action_id: number;
    record_id: number;
    /** The record's name when the action began. */
    label: string;
    state: BulkRowState;
    reason: Generated<string>;
    /** JSON: parameters of this record alone. */
    given: Generated<string>;
    /** The only version that may be changed; null for any. */
    expected_version: number | null;
    version_after: number | null;
    /** JSON: what reversing the act needs. */
    before: Generated<string>;
  };
};

import type { Generated } from "kysely";
import type { BulkContent, BulkIssueState, RowState } from "../../contract/bulk-options.ts";

/** Documents that are issued together. */
export type BulkIssueTables = {
  bulk_issues: {
    id: Generated<number>;
    company_id: number;
    user_id: number;
    state: BulkIssueState;
    /** Why it stopped. */
    reason: Generated<string>;
    /** JSON of what all documents have in common (`contract/bulk-issues.ts`). */
    common: string;
    content: BulkContent;
    template_id: number | null;
    /** The template's when the rows were checked. */
    template_version: Generated<number | null>;
    /** The folder of its files in the store, and the beginning of its rows' idempotency keys. */
    folder: string;
    table_name: Generated<string>;
    /** The table's file in the store. */
    table_key: Generated<string | null>;
    /** JSON: how it was read (`contract/table-reading.ts`). */
    table_facts: Generated<string>;
    /** JSON: the names of the table's columns, and what each is. */
    columns: Generated<string>;
    mapping: Generated<string>;
    archive_key: Generated<string | null>;
    archive_name: Generated<string>;
    archive_files: Generated<number>;
    archive_bytes: Generated<number>;
    archive_sha256: Generated<string>;
    leave_out_wrong: Generated<number>;
    rows: Generated<number>;
    checked: Generated<number>;
    wrong: Generated<number>;
    /** JSON: sentences on the table as a whole, once it was checked. */
    table_notes: Generated<string>;
    /** Checked rows with notes. */
    noted: Generated<number>;
    pages: Generated<number>;
    issued: Generated<number>;
    refused: Generated<number>;
    left_out: Generated<number>;
    created_at: string;
    changed_at: string;
    started_at: Generated<string | null>;
    finished_at: Generated<string | null>;
    version: Generated<number>;
  };
  bulk_issue_rows: {
    bulk_issue_id: number;
    line: number;
    /** JSON, in the order of the columns. */
    cells: string;
    state: Generated<RowState>;
    checked: Generated<number>;
    /** JSON: problems, or the reasons of a refusal. */
    problems: Generated<string>;
    wrong: Generated<number>;
    /** JSON: a list of sentences. */
    notes: Generated<string>;
    pages: Generated<number>;
    document_id: Generated<number | null>;
    /** What it waits in to be released, or waited. */
    release_id: Generated<number | null>;
  };
  /** A user's last mapping of a table's columns, by the SHA-256 of their names. */
  bulk_mappings: { user_id: number; columns_key: string; mapping: string; used_at: string };
};

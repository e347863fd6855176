import type { Generated } from "kysely";
import type { FileType } from "#lib/page-files/file-types.ts";
import type { CopyWithdrawal } from "../../contract/document-options.ts";
import type { NumberRange } from "../../contract/number-ranges.ts";

export const documentStatuses = ["active", "exited", "archived"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** Documents and their parts. */
export type DocumentTables = {
  documents: {
    id: Generated<number>;
    company_id: number;
    branch_id: number | null;
    owner_id: number;
    access_group_id: number | null;
    code: string;
    number: string;
    number_key: string;
    /** The number without what its readers may leave out or confuse (`documents/numbers.ts`). */
    number_read: Generated<string>;
    name: string;
    name_key: string;
    document_type: string;
    document_subtype: string;
    access_type: string;
    date: string;
    expire_type: string;
    expire_date: string | null;
    /** The expire date as entered, which sets the period of a prolongation. */
    first_expire_date: string | null;
    prolongation: number;
    qr_placing: string;
    status: DocumentStatus;
    status_before_archive: DocumentStatus | null;
    /** Since when the status is what it is; null since it was issued. */
    status_since: string | null;
    pages: number;
    /** How many it was issued in; if there are several, they are in `document_copies`. */
    copies: Generated<number>;
    /** The folder of its files in the store. */
    folder: string;
    idempotency_key: string | null;
    /** SHA-256 of the draft and page files that it was issued from; null for older documents. */
    request_digest: Generated<string | null>;
    created_by: number;
    created_at: string;
    version: number;
    /** A withdrawal's reason and its text for strangers, as they were then, and a note for users. */
    withdrawal_reason: Generated<string | null>;
    withdrawal_text: Generated<string | null>;
    withdrawal_note: Generated<string | null>;
    /** The company's own host that its codes name; null for PUBLIC_URL. */
    host_id: Generated<number | null>;
    /** The newer document that it was withdrawn for. */
    replaced_by_id: Generated<number | null>;
  };
  /** A company's reasons for withdrawals, in its order. */
  withdrawal_reasons: { id: Generated<number>; company_id: number; n: number; name: string; public_text: string };
  /** How documents of a type (empty for all) and of a branch (null for all) are numbered (`number-ranges/`). */
  number_ranges: {
    id: Generated<number>;
    company_id: number;
    document_type: NumberRange["document_type"];
    branch_id: number | null;
    /** With `{YYYY}` for the year of issue; the running number follows, with zeros up to so many digits. */
    prefix: string;
    digits: number;
    restarts: number;
    /** The next running number, and the year that it is of. */
    next: number;
    next_year: number;
  };
  /** Documents per status and date, counted by triggers (`migrations/001_tables/counters.ts`). */
  document_days: { company_id: number; status: DocumentStatus; date: string; documents: number };
  /** Documents per status and month, such as `2026-11`, likewise. */
  document_months: { company_id: number; status: DocumentStatus; month: string; documents: number };
  /** Documents by all that decides who may read them, likewise. */
  document_reach: {
    company_id: number;
    branch_id: number | null;
    access_group_id: number | null;
    owner_id: number;
    status: DocumentStatus;
    documents: number;
  };
  custom_fields: { document_id: number; n: number; name: string; value: string };
  page_files: {
    document_id: number;
    n: number;
    name: string;
    type: FileType;
    bytes: number;
    pages: number;
    width: number;
    height: number;
    sha256: string;
    /** JSON: notes, as predicates to its name. */
    notes: Generated<string>;
    /** Places where a code would cover something (`lib/page-files/notes/covered.ts`). */
    covered: Generated<string>;
  };
  /** The numbered copies of documents with several; the first one has the document's code. */
  document_copies: {
    document_id: number;
    n: number;
    code: string;
    withdrawn_at: Generated<string | null>;
    withdrawn_reason: Generated<CopyWithdrawal | null>;
    withdrawn_note: Generated<string | null>;
  };
  /** Sealed PDFs of each copy, by the placing of the QR code and the address in it. */
  sealed_files: {
    document_id: number;
    copy: number;
    qr_placing: string;
    public_url: string;
    bytes: number;
    sha256: string;
    /** SHA-256 without stamp and signature, hexadecimal: signed codes state its first half. */
    digest: string;
    timestamped: number;
    made_at: string;
  };
  /** Documents that are queued for sealing. */
  documents_to_seal: { document_id: number; company_id: number };
  /** Documents whose open pages are queued for drawing, and how many are drawn. */
  pages_to_draw: { document_id: number; company_id: number; done: Generated<number> };
  /** Reminders of an expire date that were sent or skipped, by the days before it. */
  reminders: { document_id: number; expire_date: string; days: number };
};

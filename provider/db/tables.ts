import type { Generated } from "kysely";
import type { Kind } from "#page-files/kinds.ts";
import type { AlertType } from "../contract/alerts.ts";
import type { AuditTrail } from "../contract/audit.ts";
import type { Area } from "../contract/permissions.ts";

/**
 * The provider's tables. Instants are ISO-8601 text in UTC, dates `YYYY-MM-DD`, flags 0 or 1, amounts pence.
 * A column `…_key` holds another's text folded for search and comparison (`storage/text.ts`).
 */
export type Tables = {
  tariffs: {
    id: number;
    name: string;
    min_users: number;
    max_users: number | null;
    price_per_user: number | null;
    min_monthly: number | null;
    pages: number | null;
    extra_page: number | null;
  };
  help_items: { id: number; question: string; answer: string };
  companies: Contact & {
    id: Generated<number>;
    name: string;
    active: number;
    timezone: string;
    tariff_id: number;
    /** How many documents and pages it has, updated with each change. */
    documents: number;
    pages: number;
    /** Size of its page files as uploaded, updated likewise. */
    stored_bytes: Generated<number>;
    version: number;
    created_at: string;
  };
  branches: Contact & {
    id: Generated<number>;
    company_id: number;
    name: string;
    name_key: string;
    manager_id: number | null;
    /** 0 once removed: documents issued there still name it. */
    active: number;
    version: number;
  };
  access_groups: Record<Area, string> & {
    id: Generated<number>;
    company_id: number;
    name: string;
    name_key: string;
    /** 0 once removed: former users still name it. */
    active: Generated<number>;
    version: number;
  };
  users: {
    id: Generated<number>;
    company_id: number;
    branch_id: number | null;
    access_group_id: number;
    name: string;
    name_key: string;
    email: string;
    email_key: string;
    /** argon2id; null until the invitation is accepted. */
    password_hash: string | null;
    phone: string;
    role: string;
    country: string;
    city: string;
    index: string;
    address: string;
    info: string;
    image_key: string | null;
    active: number;
    version: number;
    created_at: string;
    /** Number of the newest alert that was notified or not theirs, and the time of the notification. */
    alerts_told: Generated<number>;
    alerts_told_at: Generated<string | null>;
    /** When the person's data was erased; the row stays as the author of their actions. */
    erased_at: Generated<string | null>;
  };
  tokens: {
    /** SHA-256 of the token; the token itself is not stored. */
    hash: string;
    kind: TokenKind;
    user_id: number | null;
    created_at: string;
    used_at: string;
    expires_at: string;
    /** A session's number in calls and pages. */
    public_id: Generated<number | null>;
    /** A session's browser, such as “Firefox on Windows”; empty for programs. */
    browser: Generated<string>;
  };
  /** Email addresses to be confirmed by a link; deleted with its token. */
  email_changes: { user_id: number; email: string; token_hash: string };
  /** Browsers of a user, the newest 20 (`sessions/browsers.ts`). */
  known_browsers: {
    id: Generated<number>;
    user_id: number;
    /** SHA-256 of the user's id and the browser's token. */
    hash: string;
    /** Such as “Firefox on Windows”. */
    label: string;
    first_used_at: string;
    last_used_at: string;
  };
  documents: {
    id: Generated<number>;
    company_id: number;
    branch_id: number | null;
    owner_id: number;
    access_group_id: number | null;
    code: string;
    number: string;
    number_key: string;
    name: string;
    name_key: string;
    document_type: string;
    document_subtype: string;
    access_type: string;
    date: string;
    expire_type: string;
    expire_date: string | null;
    /** The first expire date, which gives the period of a prolongation. */
    first_expire_date: string | null;
    prolongation: number;
    qr_placing: string;
    status: DocumentStatus;
    status_before_archive: DocumentStatus | null;
    /** Instant of the last change of status; null if there was none. */
    status_since: string | null;
    pages: number;
    /** The folder of its files in the store. */
    folder: string;
    idempotency_key: string | null;
    /** SHA-256 of the draft and page files it was issued from; null for documents of older versions. */
    request_digest: Generated<string | null>;
    created_by: number;
    created_at: string;
    version: number;
  };
  /** Documents by status and date, counted by triggers (`search.ts`). */
  document_days: { company_id: number; status: DocumentStatus; date: string; documents: number };
  /** The same by month, such as `2026-11`. */
  document_months: { company_id: number; status: DocumentStatus; month: string; documents: number };
  /** Scans by day, made by staff (1) or not (0), counted by triggers. */
  scan_days: { company_id: number; day: string; staff: number; scans: number };
  custom_fields: { document_id: number; n: number; name: string; value: string };
  page_files: {
    document_id: number;
    n: number;
    name: string;
    type: Kind;
    bytes: number;
    pages: number;
    width: number;
    height: number;
    sha256: string;
  };
  /** Documents whose open pages are still to be drawn, with the number of drawn ones. */
  pages_to_draw: { document_id: number; company_id: number; done: Generated<number> };
  scans: {
    id: Generated<number>;
    company_id: number;
    document_id: number;
    at: string;
    /** In the company's time zone. */
    day: string;
    /** Comparable within a day only, as the salt is deleted after it. */
    address_hash: string;
    /** SHA-256 of the key by which the scanner can report more. */
    key_hash: string;
    latitude: Generated<number | null>;
    longitude: Generated<number | null>;
    accuracy: Generated<number | null>;
    /** A typed town or post code, where there is no position. */
    place: string;
    located_at: Generated<string | null>;
    suspicion: number;
    staff: number;
    /** 1 where the position is doubtful (`scans/report.ts`). */
    doubtful: Generated<number>;
  };
  address_salts: { day: string; salt: string };
  complaints: { scan_id: number; text: string; contact: string; at: string };
  alert_scans: { alert_id: number; scan_id: number };
  alerts: {
    id: Generated<number>;
    company_id: number;
    document_id: number;
    /** Counts from 1 in each company. */
    number: number;
    /** The rule that raised it: one alert per document, rule and day. */
    rule: string;
    /** The date of `date` in the company's time zone. */
    day: string;
    alert: AlertType;
    status: number;
    date: string;
    latitude: number | null;
    longitude: number | null;
    accuracy: number | null;
    reason: string;
    count: number;
    note: string;
    version: number;
  };
  audit: {
    id: Generated<number>;
    company_id: number;
    at: string;
    actor_id: number;
    actor: string;
    action: string;
    entity: string;
    entity_id: number;
    entity_name: string;
    /** JSON: [{field, before, after}]; never a secret. */
    changes: string;
    /** Changes or access (`audit/access.ts`); each is stored for its own number of days. */
    trail: Generated<AuditTrail>;
    /** How often it happened from `first_at` to `at`; `first_at` is null for once. */
    count: Generated<number>;
    first_at: Generated<string | null>;
    browser: Generated<string>;
    /** The client's network, never the whole address. */
    network: Generated<string>;
    /** Access entries with the same `bound` are counted together, in one row for each `within`. */
    bound: Generated<string | null>;
    within: Generated<string | null>;
  };
  /** Messages that are waiting, or were given up. */
  outbox: {
    id: Generated<number>;
    user_id: number;
    recipient: string;
    subject: string;
    /** Empty once given up. */
    text: string;
    /** Without angle brackets; the same at each attempt. */
    message_id: string;
    /** Its kind; of some kinds at most one message waits for each user (`mail/outbox.ts`). */
    kind: string | null;
    /** Token of the link in it. */
    token_hash: string | null;
    created_at: string;
    attempts: number;
    next_at: string;
    /** End of the lease of the process that is sending it. */
    claimed_until: string | null;
    given_up_at: string | null;
  };
  /** Addresses for which a reset link was requested, with or without an account. */
  reset_requests: { id: Generated<number>; email_key: string; at: string };
  /** Reminders of an expire date that were sent or skipped, by days before it. */
  reminders: { document_id: number; expire_date: string; days: number };
};

type Contact = {
  email: string;
  phone: string;
  country: string;
  city: string;
  index: string;
  address: string;
  image_key: string | null;
};

export type TokenKind = "session" | "invitation" | "reset" | "first" | "email";
export const documentStatuses = ["active", "exited", "archived"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

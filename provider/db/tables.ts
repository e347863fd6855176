import type { Generated } from "kysely";
import type { Kind } from "#page-files/kinds.ts";
import type { AlertType } from "../contract/alerts.ts";
import type { AuditTrail } from "../contract/audit.ts";
import type { Area } from "../contract/permissions.ts";

/**
 * The provider's tables. Instants are ISO-8601 text in UTC, dates `YYYY-MM-DD`, flags 0 or 1, amounts pence.
 * A column `…_key` holds another's text folded for search and comparison (`storage/database.ts`, `fold`).
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
    /** Counters, updated with every change. */
    documents: number;
    pages: number;
    /** The bytes of uploaded page files, updated likewise. */
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
    /** 0 once removed: documents still name it. */
    active: number;
    version: number;
  };
  access_groups: Record<Area, string> & {
    id: Generated<number>;
    company_id: number;
    name: string;
    name_key: string;
    /** 0 once removed: removed users still name it. */
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
    /** argon2id; null until the user sets a password. */
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
    /** The number of the last alert that they were notified of or need not be; and when. */
    alerts_told: Generated<number>;
    alerts_told_at: Generated<string | null>;
    /** When the personal data was erased; the row stays as an author. */
    erased_at: Generated<string | null>;
  };
  tokens: {
    /** SHA-256 of the token, which itself is not stored. */
    hash: string;
    kind: TokenKind;
    user_id: number | null;
    created_at: string;
    used_at: string;
    expires_at: string;
    /** Of a session: its id in calls and pages. */
    public_id: Generated<number | null>;
    /** Of a session: such as “Firefox on Windows”; empty for API clients. */
    browser: Generated<string>;
  };
  /** Unconfirmed email addresses, deleted with the token of their link. */
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
    /** The expire date as entered, which sets the period of a prolongation. */
    first_expire_date: string | null;
    prolongation: number;
    qr_placing: string;
    status: DocumentStatus;
    status_before_archive: DocumentStatus | null;
    /** Since when the status is what it is; null since it was issued. */
    status_since: string | null;
    pages: number;
    /** The folder of its files in the store. */
    folder: string;
    idempotency_key: string | null;
    /** SHA-256 of the draft and page files that it was issued from; null for older documents. */
    request_digest: Generated<string | null>;
    created_by: number;
    created_at: string;
    version: number;
  };
  /** Documents per status and date, counted by triggers (`search.ts`). */
  document_days: { company_id: number; status: DocumentStatus; date: string; documents: number };
  /** Documents per status and month, such as `2026-11`, likewise. */
  document_months: { company_id: number; status: DocumentStatus; month: string; documents: number };
  /** Scans per day, by staff (1) or not (0), likewise. */
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
  /** Documents whose open pages are queued for drawing, and how many are drawn. */
  pages_to_draw: { document_id: number; company_id: number; done: Generated<number> };
  scans: {
    id: Generated<number>;
    company_id: number;
    document_id: number;
    at: string;
    /** In the company's time zone. */
    day: string;
    /** Comparable within a day only, as the day's salt is deleted. */
    address_hash: string;
    /** SHA-256 of the key for reports on the scan. */
    key_hash: string;
    latitude: Generated<number | null>;
    longitude: Generated<number | null>;
    accuracy: Generated<number | null>;
    /** A typed town or post code, where there is no position. */
    place: string;
    located_at: Generated<string | null>;
    suspicion: number;
    staff: number;
    /** 1 where the position is unreliable (`scans/report.ts`). */
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
    /** Changes, or access (`audit/access-trail.ts`); each has its own retention. */
    trail: Generated<AuditTrail>;
    /** How often it happened, from `first_at` to `at`; `first_at` is null for once. */
    count: Generated<number>;
    first_at: Generated<string | null>;
    browser: Generated<string>;
    /** The client's truncated network. */
    network: Generated<string>;
    /** Rows with the same `bound` are limited in number; entries with the same `within` share one. */
    bound: Generated<string | null>;
    within: Generated<string | null>;
  };
  /** Messages that are pending or were given up. */
  outbox: {
    id: Generated<number>;
    user_id: number;
    recipient: string;
    subject: string;
    /** Empty once given up. */
    text: string;
    /** Without angle brackets; the same for each attempt. */
    message_id: string;
    /** A user has one pending message of a kind at most (`mail/outbox.ts`). */
    kind: string | null;
    /** The token of its link. */
    token_hash: string | null;
    created_at: string;
    attempts: number;
    next_at: string;
    /** Until when a process claims to send it. */
    claimed_until: string | null;
    given_up_at: string | null;
  };
  /** Email addresses for which a reset link was requested, of users or not. */
  reset_requests: { id: Generated<number>; email_key: string; at: string };
  /** Reminders of an expire date that were sent or skipped, by the days before it. */
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

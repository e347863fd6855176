import type { Generated } from "kysely";
import type { Language } from "#lib/messages/languages.ts";
import type { AlertType, CaseState } from "../../contract/alerts.ts";
import type { SignatureVerdict } from "../../contract/signatures.ts";
import type { IssuedVerdict } from "../../contract/verify.ts";

/** Scans and the alerts that they raise. */
export type ScanTables = {
  scans: {
    id: Generated<number>;
    company_id: number;
    document_id: number;
    /** Of a document with several; else null. */
    copy: Generated<number | null>;
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
    /** A typed town or post code, if there is no position. */
    place: string;
    located_at: Generated<string | null>;
    suspicion: number;
    staff: number;
    /** 1 if the position is unreliable (`scans/report.ts`). */
    doubtful: Generated<number>;
    /** The verdict shown to the visitor; empty for scans from before it was stored. */
    verdict: Generated<IssuedVerdict | "">;
    /** The result of checking a signed code; empty if it confirmed the record, and for plain codes. */
    signature: Generated<SignatureVerdict | "">;
  };
  /** Scans that the rules have not judged (`scans/judging/judge.ts`). */
  scans_to_judge: {
    scan_id: number;
    company_id: number;
    /** The scan's own. */
    at: string;
    /** Findings when the page was opened, as JSON. */
    findings: string;
  };
  /** Scans per day, by staff (1) or not (0), likewise. */
  scan_days: { company_id: number; day: string; staff: number; scans: number };
  address_salts: { day: string; salt: string };
  complaints: {
    scan_id: number;
    text: string;
    contact: string;
    /** The contact as it is compared (`alerts/cases/contact.ts`); empty if it is neither address nor number. */
    contact_key: Generated<string>;
    /** Of the page on which it was written; empty if that is unknown. */
    language: Generated<Language | "">;
    at: string;
  };
  alerts: {
    id: Generated<number>;
    company_id: number;
    document_id: number;
    /** Of a document with several, if one is concerned; else null. */
    copy: Generated<number | null>;
    /** Counts from 1 in each company. */
    number: number;
    /** The rule that raised it: one alert per document, copy, rule and day. */
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
    /** The note of the last completion; stays when it is reopened. */
    note: string;
    /** Why it was reopened; empty while it is completed. */
    reopened_because: Generated<string>;
    version: number;
    /** The user who works on it. */
    owner_id: Generated<number | null>;
    /** The two states of open alerts, or the outcome of a completed one. */
    case_state: Generated<CaseState>;
    /** When a user who may change it first saw it. */
    first_seen_at: Generated<string | null>;
    first_seen_by: Generated<number | null>;
    /** Null while it is open, and if it was completed before this was stored and the trail is gone. */
    completed_at: Generated<string | null>;
  };
  /** Alerts by all that decides who may read their documents, counted by triggers (`migrations/001_tables/counters.ts`). */
  alert_reach: {
    company_id: number;
    branch_id: number | null;
    access_group_id: number | null;
    owner_id: number;
    status: number;
    alerts: number;
  };
  alert_comments: {
    id: Generated<number>;
    alert_id: number;
    author_id: number;
    /** Empty once it was removed. */
    text: string;
    at: string;
    removed_at: Generated<string | null>;
  };
  /** Whom a comment was mailed to. */
  alert_mentions: { comment_id: number; user_id: number };
  alert_scans: { alert_id: number; scan_id: number };
};

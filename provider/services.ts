import type { Kysely } from "kysely";
import type { PageFiles } from "#lib/page-files/page-files.ts";
import type { WitnessAddress } from "#lib/log/request-cosignature.ts";
import type { EvidenceSource, EvidenceStamper } from "#lib/seal/evidence.ts";
import type { Database } from "#lib/storage/database/database.ts";
import type { Files } from "#lib/storage/files/files.ts";
import type { OperatorKey } from "#lib/seal/operator-key.ts";
import type { WrappingKey } from "#lib/seal/wrapping.ts";
import type { SyslogServer } from "./audit/syslog.ts";
import type { AccessTrail } from "./audit/access-trail.ts";
import type { AuditTrail } from "./contract/audit.ts";
import type { Tables } from "./db/tables.ts";
import type { Mail } from "./mail/mail.ts";
import type { WebhookSettings } from "./webhooks/address.ts";

/** Events for the operator, one JSON line each; never a token, password or code. */
export type Log = {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
  error(event: object, message: string): void;
};

/** The operator's settings of single sign-on. */
export type SingleSignOnSettings = {
  operator?: { issuer: string; clientId: string; clientSecret: string | undefined; groupsClaim: string } | undefined;
  /** The company of accounts that are made; if omitted, the only one there is. */
  companyId?: number | undefined;
  /** Whether passwords are off. */
  passwordsOff: boolean;
  /** `host` or `host:port` that companies may name although it is private or without HTTPS. */
  allowedHosts: string[];
};

/** The provider's dependencies, opened once at start. */
export type Services = {
  db: Kysely<Tables>;
  /** Makes rate limits; called by `http/rate-limits.ts` and `sessions/slow-down.ts` alone. */
  limiter: Database["limiter"];
  /** Deletes expired counts of rate limits. */
  removeExpiredCounts: Database["removeExpiredCounts"];
  files: Files;
  pageFiles: PageFiles;
  mail: Mail;
  /** Sends the outbox soon; called after a transaction that added a message. */
  nudgeMail(): void;
  /** Sends the mails to holders soon; called after a transaction that queued one. */
  nudgeRecipients?(): void;
  /** Applies the rules to stored scans soon; called after their commit. */
  nudgeScanRules?(): void;
  /** Draws open pages soon; called after a transaction that opened a document to all. */
  nudgeDrawing(): void;
  /** Seals documents soon; called after a transaction that issued one. */
  nudgeSealing(): void;
  /** Works on bulk actions soon; called for one that its request did not finish. */
  nudgeBulkActions?(): void;
  /** Fewer records of a bulk action, and less time for it within a request, than usual. */
  maxBulkRows?: number;
  bulkInRequestMs?: number;
  /** Goes on with bulk issues soon; called after a transaction that moved one on. */
  nudgeBulkIssues(): void;
  /** Applies imports soon; called after a transaction that started one. */
  nudgeImports(): void;
  /** Delivers to webhooks soon, after the transaction that noted an event. */
  nudgeWebhooks?(): void;
  /** Allowed hosts of webhooks beside public addresses, and the time that a receiver has for its reply. */
  webhooks: WebhookSettings;
  /** Asks the operator's time-stamp services, if there are any. */
  timeStamp?: EvidenceStamper | undefined;
  /** Collects what verifies signatures with time stamps later. */
  evidence?: EvidenceSource | undefined;
  /** Who cosigns the log's checkpoints. */
  witnesses?: WitnessAddress[];
  /** How much each company may store, in bytes (`company/storage.ts`); Infinity for no quota. */
  quotas: { companyBytes: number };
  /** How many invitations a user may send a day, if not as many as usual (`users/limits.ts`). */
  invitationsPerDay?: number;
  /** The keys that encrypt seal keys, the first for new ones; and the operator's own key for sealed PDFs, if there is one. */
  seals: { wrappingKeys: WrappingKey[]; operatorKey?: OperatorKey | undefined };
  /** The origin in QR codes and mails, without a trailing slash. */
  publicUrl: string;
  /** Earlier ones, whose signed codes are still on paper. */
  formerUrls: string[];
  /** Name servers that are asked for the records of companies' hosts; none for those of the machine. */
  dnsServers: string[];
  /** How users sign in at an identity provider; without it, companies configure their own alone. */
  singleSignOn?: SingleSignOnSettings;
  log: Log;
  /** The audit trail of access. */
  access: AccessTrail;
  /** Where the audit trail is shipped to, if anywhere; and soon, called after it was written. */
  auditSyslog?: SyslogServer | undefined;
  nudgeAuditShipping?(): void;
  /** The retention of each audit trail in days; 0 is forever. */
  auditDays: Record<AuditTrail, number>;
  /** The retention of scans in days; 0 or omitted is forever. */
  scanDays?: number;
  now(): Date;
  /** Resolves after `ms`; rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Whether a user has drafts, which the web app stores in the same database. */
  hasDrafts?: (db: Kysely<Tables>, userId: number) => Promise<boolean>;
  /** Deletes a user's drafts and returns their folders in the store. */
  removeDrafts?: (db: Kysely<Tables>, userId: number) => Promise<string[]>;
};

/** The job that sends messages (`jobs.ts`). */
export const mailJob = "mail";
/** The job that sends mails to holders. */
export const recipientJob = "recipients";
/** The job that applies the rules to stored scans. */
export const scanRulesJob = "scan rules";
/** The job that draws open pages. */
export const drawingJob = "drawings";
/** The job that seals documents. */
export const sealingJob = "seals";
/** The job that works on bulk actions. */
export const bulkActionsJob = "bulk actions";
/** The job that checks and issues the rows of bulk issues. */
export const bulkIssueJob = "bulk issues";
/** The job that delivers to webhooks. */
export const webhookJob = "webhooks";
/** The job that ships the audit trail. */
export const auditShippingJob = "audit shipping";
/** The job that applies imports. */
export const importJob = "imports";
/** The job that looks for the records of companies' hosts. */
export const hostsJob = "hosts";
/** The job that publishes the log. */
export const logJob = "log";

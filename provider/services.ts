import type { Kysely } from "kysely";
import type { PageFiles } from "#page-files/page-files.ts";
import type { Database } from "#storage/database.ts";
import type { Files } from "#storage/files.ts";
import type { AccessTrail } from "./audit/access-trail.ts";
import type { AuditTrail } from "./contract/audit.ts";
import type { Tables } from "./db/tables.ts";
import type { Mail } from "./mail/mail.ts";

/** Events for the operator, one JSON line each; never a token, password or code. */
export type Log = {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
  error(event: object, message: string): void;
};

/** What the provider works with, given to it once at start. */
export type Services = {
  db: Kysely<Tables>;
  /** Makes rate limits; called by `http/rate-limits.ts` and `sessions/slow-down.ts` alone. */
  limiter: Database["limiter"];
  /** Removes counts of rate limits whose time is over. */
  removeExpiredCounts: Database["removeExpiredCounts"];
  files: Files;
  pageFiles: PageFiles;
  mail: Mail;
  /** Has the outbox looked at once, after a transaction that put a message there. */
  nudgeMail(): void;
  /** Has open pages drawn at once, after a transaction that opened a document. */
  nudgeDrawing(): void;
  /** How much each company may store, in bytes (`company/storage.ts`); Infinity for as much as there is. */
  quotas: { companyBytes: number };
  /** The origin that QR codes and mails carry, without a slash at its end. */
  publicUrl: string;
  log: Log;
  /** Notes access for the audit trail. */
  access: AccessTrail;
  /** For how many days each audit trail is stored; 0 is for ever. */
  auditDays: Record<AuditTrail, number>;
  now(): Date;
  /** Resolves after so long, or rejects when the signal says so. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Whether a user has drafts, which the web app keeps in the same database; `db` may be a transaction. */
  hasDrafts?: (db: Kysely<Tables>, userId: number) => Promise<boolean>;
  /** Removes a user's drafts, likewise; returns their folders in the store. */
  removeDrafts?: (db: Kysely<Tables>, userId: number) => Promise<string[]>;
};

/** The job that sends messages (`jobs.ts`). */
export const mailJob = "mail";
/** The job that draws open pages. */
export const drawingJob = "drawings";

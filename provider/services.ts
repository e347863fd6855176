import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { PageFiles } from "#page-files/page-files.ts";
import type { Database } from "#storage/database.ts";
import type { Files } from "#storage/files.ts";
import { type AccessTrail, createAccessTrail } from "./audit/access-trail.ts";
import type { AuditDays } from "./audit/retention.ts";
import { watchStorage } from "./company/storage.ts";
import { migrations } from "./db/migrations.ts";
import { writeReference } from "./db/reference.ts";
import type { Tables } from "./db/tables.ts";
import { folderMail, type Mail, smtpMail } from "./mail/mail.ts";

/** What the provider works with, given to it once at start. */
export type Services = {
  db: Kysely<Tables>;
  /** Makes rate limits; called by `http/attempts.ts` and `sessions/slow-down.ts` alone. */
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
  auditDays: AuditDays;
  now(): Date;
  /** Resolves after so many milliseconds, or rejects when the signal says so. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Whether a user has drafts, which the web app keeps in the same database; `db` may be a transaction. */
  hasDrafts?: (db: Kysely<Tables>, userId: number) => Promise<boolean>;
  /** Removes a user's drafts, likewise; returns their folders in the store. */
  removeDrafts?: (db: Kysely<Tables>, userId: number) => Promise<string[]>;
};

/** The job that sends messages (`jobs.ts`). */
export const mailJob = "mail";
/** The job that draws open pages. */
export const drawingJob = "drawings";

/** Events worth an operator's eye, one JSON line each; never a token, password or code. */
export type Log = {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
  error(event: object, message: string): void;
};

type Settings = {
  PUBLIC_URL: string;
  DATA_DIR: string;
  SMTP_URL?: string | undefined;
  MAIL_FROM: string;
  STORAGE_GB_PER_COMPANY: number;
  AUDIT_DAYS: number;
  AUDIT_ACCESS_DAYS: number;
};

/** Brings the provider's tables up to date and gathers what it works with. */
export async function openServices(
  settings: Settings,
  open: { database: Database; files: Files; pageFiles: PageFiles; log: Log; nudge?: (job: string) => void } & Pick<
    Services,
    "hasDrafts" | "removeDrafts"
  >,
): Promise<Services> {
  const { database, files, pageFiles, log, nudge, hasDrafts, removeDrafts } = open;
  await database.migrate("provider", migrations);
  const db = database.tables<Tables>();
  await writeReference(db);
  const mail = settings.SMTP_URL
    ? smtpMail(settings.SMTP_URL, settings.MAIL_FROM)
    : folderMail(join(settings.DATA_DIR, "outbox"), settings.MAIL_FROM, (file) =>
        log.info({ file }, "a message was written to the outbox folder, as no SMTP_URL is set"),
      );
  const quotas = { companyBytes: settings.STORAGE_GB_PER_COMPANY * 1e9 || Infinity };
  watchStorage({ db, quotas });
  const now = () => new Date();
  // Later than the reply, and together with others.
  const soon = (work: () => void) => void setTimeout(work, 1000).unref();
  return {
    db,
    access: createAccessTrail({ db, log, now, soon }),
    auditDays: { changes: settings.AUDIT_DAYS, access: settings.AUDIT_ACCESS_DAYS },
    limiter: database.limiter,
    removeExpiredCounts: database.removeExpiredCounts,
    files,
    pageFiles,
    mail,
    // Commands send nothing themselves: the server does.
    nudgeMail: () => nudge?.(mailJob),
    nudgeDrawing: () => nudge?.(drawingJob),
    quotas,
    publicUrl: settings.PUBLIC_URL,
    log,
    now,
    wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
    ...(hasDrafts && { hasDrafts }),
    ...(removeDrafts && { removeDrafts }),
  };
}

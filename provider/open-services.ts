import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { PageFiles } from "#lib/page-files/page-files.ts";
import type { Database } from "#lib/storage/database/database.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { readNoteKey } from "#lib/log/notes.ts";
import type { WitnessAddress } from "#lib/log/request-cosignature.ts";
import { OperatorKeyRefused } from "#lib/seal/operator-key.ts";
import { readKeyFile } from "#lib/seal/key-file.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { secondsInMs } from "#lib/units.ts";
import { createAccessTrail } from "./audit/access-trail.ts";
import { migrations } from "./db/migrations.ts";
import { writeReference } from "./db/reference.ts";
import type { Tables } from "./db/tables.ts";
import { folderMail, smtpMail } from "./mail/mail.ts";
import { openToken } from "./seal/keys/token.ts";
import { openTimeStamps } from "./seal/open-time-stamps.ts";
import type { TokenSettings } from "./seal/keys/token-tool.ts";
import {
  auditShippingJob,
  bulkActionsJob,
  bulkIssueJob,
  drawingJob,
  importJob,
  type Log,
  mailJob,
  recipientJob,
  scanRulesJob,
  sealingJob,
  type Services,
  webhookJob,
} from "./services.ts";

type Settings = {
  PUBLIC_URL: string;
  FORMER_URLS: string[];
  DNS_SERVERS: string[];
  DATA_DIR: string;
  SMTP_URL?: string | undefined;
  TSA_URL: string[];
  WITNESSES: { key: string; url: string }[];
  WEBHOOK_ALLOWED_HOSTS: string[];
  MAIL_FROM: string;
  SEAL_SECRET: string[];
  SEAL_KEY?: string | undefined;
  SEAL_KEY_PASSPHRASE?: string | undefined;
  STORAGE_GB_PER_COMPANY: number;
  INVITATIONS_PER_DAY: number;
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_GROUPS_CLAIM?: string | undefined;
  OIDC_COMPANY?: number | undefined;
  OIDC_ONLY: boolean;
  OIDC_ALLOWED_HOSTS: string[];
  AUDIT_DAYS: number;
  AUDIT_SYSLOG?: string | undefined;
  AUDIT_SYSLOG_CA?: string | undefined;
  AUDIT_SYSLOG_CERT?: string | undefined;
  AUDIT_SYSLOG_KEY?: string | undefined;
  AUDIT_ACCESS_DAYS: number;
  SCAN_DAYS: number;
};

/** Migrates the provider's tables and opens its dependencies. Throws `OperatorKeyRefused` and `NewerSchema`. */
export async function openServices(
  settings: Settings,
  open: {
    database: Database;
    files: Files;
    pageFiles: PageFiles;
    log: Log;
    token?: TokenSettings | undefined;
    nudge?: (job: string) => void;
  } & Pick<Services, "hasDrafts" | "removeDrafts">,
): Promise<Services> {
  const { database, files, pageFiles, log, nudge, hasDrafts, removeDrafts } = open;
  const seals = await openSeals(settings, open.token);
  await database.migrate("provider", migrations, log);
  const db = database.tables<Tables>();
  await writeReference(db);
  const mail = settings.SMTP_URL
    ? smtpMail(settings.SMTP_URL, settings.MAIL_FROM)
    : folderMail(join(settings.DATA_DIR, "outbox"), settings.MAIL_FROM, (file) =>
        log.info({ file }, "a message was written to the outbox folder, as no SMTP_URL is set"),
      );
  const quotas = { companyBytes: settings.STORAGE_GB_PER_COMPANY * 1e9 || Infinity };
  const now = () => new Date();
  // After the reply, and together with others.
  const nudgeAuditShipping = settings.AUDIT_SYSLOG ? nudgeLater(() => nudge?.(auditShippingJob)) : () => {};
  const defer = (work: () => void) => void setTimeout(work, secondsInMs(1)).unref();
  return {
    db,
    access: createAccessTrail({ db, log, now, defer, onWritten: nudgeAuditShipping }),
    auditSyslog: syslogOf(settings),
    nudgeAuditShipping,
    auditDays: { changes: settings.AUDIT_DAYS, access: settings.AUDIT_ACCESS_DAYS },
    scanDays: settings.SCAN_DAYS,
    limiter: database.limiter,
    removeExpiredCounts: database.removeExpiredCounts,
    files,
    pageFiles,
    mail,
    // Commands have no runner: the server's sends.
    nudgeMail: () => nudge?.(mailJob),
    nudgeRecipients: nudgeLater(() => nudge?.(recipientJob)),
    nudgeScanRules: nudgeLater(() => nudge?.(scanRulesJob)),
    nudgeDrawing: () => nudge?.(drawingJob),
    nudgeSealing: () => nudge?.(sealingJob),
    nudgeBulkActions: () => nudge?.(bulkActionsJob),
    nudgeBulkIssues: () => nudge?.(bulkIssueJob),
    nudgeImports: () => nudge?.(importJob),
    nudgeWebhooks: nudgeLater(() => nudge?.(webhookJob)),
    webhooks: { allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS },
    ...openTimeStamps(settings.TSA_URL, log, now),
    witnesses: witnessesOf(settings),
    quotas,
    invitationsPerDay: settings.INVITATIONS_PER_DAY,
    seals,
    publicUrl: settings.PUBLIC_URL,
    formerUrls: settings.FORMER_URLS,
    dnsServers: settings.DNS_SERVERS,
    singleSignOn: singleSignOnOf(settings),
    log,
    now,
    wait: (ms, signal) => wait(ms, undefined, { signal }),
    ...(hasDrafts && { hasDrafts }),
    ...(removeDrafts && { removeDrafts }),
  };
}

/** Events are noted within transactions, which are committed by then; and many come together. */
const afterTransactionMs = 500;

function nudgeLater(nudge: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      nudge();
    }, afterTransactionMs).unref();
  };
}

/** RFC 5425's port. */
const syslogPort = 6514;

function syslogOf({ AUDIT_SYSLOG, ...settings }: Settings): Services["auditSyslog"] {
  if (!AUDIT_SYSLOG) return undefined;
  const { hostname, port } = new URL(`tls://${AUDIT_SYSLOG}`);
  const { AUDIT_SYSLOG_CA: ca, AUDIT_SYSLOG_CERT: cert, AUDIT_SYSLOG_KEY: key } = settings;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || syslogPort), ca, cert, key };
}

const singleSignOnOf = (settings: Settings): Services["singleSignOn"] => ({
  operator: settings.OIDC_ISSUER
    ? {
        issuer: settings.OIDC_ISSUER,
        clientId: settings.OIDC_CLIENT_ID!,
        clientSecret: settings.OIDC_CLIENT_SECRET,
        groupsClaim: settings.OIDC_GROUPS_CLAIM ?? "",
      }
    : undefined,
  companyId: settings.OIDC_COMPANY,
  passwordsOff: settings.OIDC_ONLY,
  allowedHosts: settings.OIDC_ALLOWED_HOSTS,
});

/** Takes the operator's key for sealed PDFs from changed settings. Throws `OperatorKeyRefused`. */
export async function changeOperatorKey(services: Services, settings: SealSettings, token: TokenSettings | undefined) {
  services.seals.operatorKey = (await openSeals(settings, token)).operatorKey;
}

type SealSettings = Pick<Settings, "SEAL_SECRET" | "SEAL_KEY" | "SEAL_KEY_PASSPHRASE">;

async function openSeals(settings: SealSettings, token: TokenSettings | undefined): Promise<Services["seals"]> {
  const { SEAL_SECRET, SEAL_KEY, SEAL_KEY_PASSPHRASE } = settings;
  const operatorKey = SEAL_KEY ? readKeyFile(SEAL_KEY, SEAL_KEY_PASSPHRASE, new Date()) : token && openToken(token);
  return { wrappingKeys: SEAL_SECRET.map(secretKey), operatorKey: await operatorKey };
}

/** Reads the keys of witnesses. Throws `OperatorKeyRefused`. */
export const witnessesOf = ({ WITNESSES }: Pick<Settings, "WITNESSES">): WitnessAddress[] =>
  WITNESSES.map(({ key: text, url }, index) => {
    const key = readNoteKey(text);
    if (key?.kind !== "witness") {
      throw new OperatorKeyRefused("WITNESSES", `number ${index + 1} of the list has no key of a witness`);
    }
    return { key, url };
  });

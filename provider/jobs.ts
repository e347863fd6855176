import type { DescribedJob, Job } from "#lib/storage/jobs.ts";
import { deleteOldBulkActions } from "./bulk-actions/bulk-action-queries.ts";
import { runUnfinished } from "./bulk-actions/run-bulk-action.ts";
import { notifyOfAlerts } from "./alerts/notify.ts";
import { deleteOldEntries } from "./audit/retention.ts";
import { shipAudit } from "./audit/ship.ts";
import { removeOldBulkIssues } from "./bulk-issues/clean-up.ts";
import { workOnBulkIssues } from "./bulk-issues/work.ts";
import { drawOpenPages } from "./documents/open-pages.ts";
import { deletePastReminders, sendReminders } from "./documents/remind.ts";
import { deleteGivenUp, sendDue } from "./mail/outbox.ts";
import { removeOrphans } from "./files/orphans.ts";
import { enterExisting } from "./log/existing.ts";
import { cosignCheckpoint } from "./log/cosign.ts";
import { publishLog } from "./log/publish.ts";
import { checkDueHosts } from "./hosts/check-hosts.ts";
import { applyImports } from "./imports/apply.ts";
import { deleteExpiredImports } from "./imports/imports.ts";
import { useNextKeys } from "./seal/keys/next-keys.ts";
import { sealQueued } from "./seal/seal-queue.ts";
import { warnOfLists } from "./seal/keys/revocation-lists.ts";
import { warnBeforeExpiry } from "./seal/keys/signer.ts";
import { refreshStatusLists } from "./seal/status-lists.ts";
import { notifyOfReleases } from "./releases/notify.ts";
import { deleteOldRecipients } from "./recipients/retention.ts";
import { sendRecipientMails } from "./recipients/send-mails.ts";
import { createResetSender } from "./sessions/resets.ts";
import { eraseOldPlaces } from "./scans/erase.ts";
import { judgeScans } from "./scans/judging/judge.ts";
import { makePartitions } from "./scans/partitions.ts";
import { deleteOldScans } from "./scans/retention.ts";
import {
  auditShippingJob,
  bulkActionsJob,
  bulkIssueJob,
  drawingJob,
  hostsJob,
  importJob,
  logJob,
  mailJob,
  recipientJob,
  scanRulesJob,
  sealingJob,
  type Services,
  webhookJob,
} from "./services.ts";
import { removeExpiredTokens } from "./sessions/tokens.ts";
import { removeExpiredSecrets } from "./wallet/secrets.ts";
import { deliverDue } from "./webhooks/deliver.ts";
import { noteExpiries } from "./webhooks/expiries.ts";
import { deleteOldDeliveries } from "./webhooks/store-attempt.ts";
import { removeExpiredAttempts } from "./single-sign-on/attempts.ts";

/** Each job for operators (`docs/reference.md`). */
const summaries = {
  [mailJob]: "sends messages",
  [recipientJob]: "sends links to documents, and codes for My documents, to holders",
  [scanRulesJob]: "applies the rules to stored scans and raises their alerts",
  [drawingJob]: "draws the pages of documents that are open to all",
  [sealingJob]: "seals issued documents, the newest first",
  [bulkActionsJob]: "finishes bulk actions that a request left, companies in turn",
  [bulkIssueJob]: "checks and issues the rows of bulk issues one at a time, companies in turn",
  [importJob]: "applies imports of users and branches",
  [webhookJob]: "delivers events to webhooks",
  [auditShippingJob]: "sends the audit trail to AUDIT_SYSLOG",
  [logJob]: "numbers the entries of the log, writes its tiles, and has its checkpoint cosigned by WITNESSES",
  "log of existing": "enters documents and seal keys that are not in the log yet",
  limits: "deletes expired counts of rate limits from PostgreSQL",
  "old bulk issues": "removes bulk issues unchanged for 30 days, with their tables and ZIPs",
  "seal keys": "takes new seal keys into use a day after they were published",
  "status lists": "makes the status lists that are due: 10 minutes after a change, else after 6 hours",
  [hostsJob]:
    "looks for the DNS records of companies' hosts: of new ones, confirmed ones once a day, missing ones hourly",
  expiries: "queues webhook events for documents that expired, once their company's day has ended",
  "old deliveries": "deletes webhook deliveries after 30 days, and the keys of webhooks that have ended",
  alerts: "notifies staff of new alerts",
  releases: "mails what awaits release to those who may release it, and decisions to drafters",
  reminders: "reminds owners 30, 7 and 1 days before a document with prolongation expires",
  "scan partitions": "makes the PostgreSQL partitions of this and the next two months",
  "old scans": "deletes scans older than SCAN_DAYS, and moves rows out of scans_default",
  places: "erases places of scans after 90 days",
  audit: "deletes audit entries older than AUDIT_DAYS and AUDIT_ACCESS_DAYS",
  orphans: "deletes files without a record",
  expired: "deletes expired sessions, links, messages, reminders, imports and recipients",
};

/** The provider's scheduled jobs. `abandonedMs` returns the age from which a file without a record is an orphan. */
export function providerJobs(services: Services, abandonedMs: () => number): DescribedJob[] {
  const writeResets = createResetSender(services);
  const jobs: (Job & { name: keyof typeof summaries })[] = [
    {
      name: mailJob,
      due: "* * * * *",
      atStart: true,
      async run(signal) {
        await writeResets(signal);
        await sendDue(services, signal);
      },
    },
    { name: recipientJob, due: "* * * * *", atStart: true, run: (signal) => sendRecipientMails(services, signal) },
    { name: scanRulesJob, due: "* * * * *", atStart: true, run: (signal) => judgeScans(services, signal) },
    { name: auditShippingJob, due: "* * * * *", atStart: true, run: (signal) => shipAudit(services, signal) },
    {
      name: logJob,
      due: "* * * * *",
      atStart: true,
      async run(signal) {
        await publishLog(services, signal);
        await cosignCheckpoint(services, signal);
      },
    },
    { name: "log of existing", due: "20 * * * *", atStart: true, run: (signal) => enterExisting(services, signal) },
    { name: "limits", due: "*/10 * * * *", run: () => services.removeExpiredCounts() },
    { name: drawingJob, due: "*/5 * * * *", run: (signal) => drawOpenPages(services, signal) },
    { name: sealingJob, due: "*/5 * * * *", atStart: true, run: (signal) => sealQueued(services, signal) },
    { name: bulkActionsJob, due: "*/5 * * * *", atStart: true, run: (signal) => runUnfinished(services, signal) },
    { name: bulkIssueJob, due: "* * * * *", atStart: true, run: (signal) => workOnBulkIssues(services, signal) },
    { name: "old bulk issues", due: "50 3 * * *", run: () => removeOldBulkIssues(services) },
    { name: "seal keys", due: "*/5 * * * *", atStart: true, run: (signal) => useNextKeys(services, signal) },
    { name: "status lists", due: "*/5 * * * *", atStart: true, run: (signal) => refreshStatusLists(services, signal) },
    { name: hostsJob, due: "*/5 * * * *", atStart: true, run: (signal) => checkDueHosts(services, signal) },
    { name: importJob, due: "*/5 * * * *", atStart: true, run: (signal) => applyImports(services, signal) },
    { name: webhookJob, due: "* * * * *", atStart: true, run: (signal) => deliverDue(services, signal) },
    // A minute after midnight in each time zone, which are whole quarters of an hour apart.
    { name: "expiries", due: "1-59/15 * * * *", atStart: true, run: (signal) => noteExpiries(services, signal) },
    { name: "old deliveries", due: "0 4 * * *", run: () => deleteOldDeliveries(services) },
    { name: "alerts", due: "* * * * *", run: (signal) => notifyOfAlerts(services, signal) },
    { name: "releases", due: "* * * * *", run: (signal) => notifyOfReleases(services, signal) },
    { name: "reminders", due: "5 * * * *", run: (signal) => sendReminders(services, signal) },
    { name: "scan partitions", due: "0 2 * * *", atStart: true, run: () => makePartitions(services) },
    { name: "old scans", due: "30 2 * * *", run: (signal) => deleteOldScans(services, signal) },
    { name: "places", due: "10 3 * * *", atStart: true, run: (signal) => eraseOldPlaces(services, signal) },
    { name: "audit", due: "40 3 * * *", atStart: true, run: (signal) => deleteOldEntries(services, signal) },
    { name: "orphans", due: "20 3 * * *", atStart: true, run: () => removeOrphans(services, abandonedMs()) },
    {
      name: "expired",
      due: "30 3 * * *",
      atStart: true,
      async run() {
        await removeExpiredTokens(services.db, services.now());
        await removeExpiredAttempts(services.db, services.now());
        await removeExpiredSecrets(services);
        await deleteGivenUp(services);
        await deletePastReminders(services);
        await deleteOldBulkActions(services.db, services.now());
        await deleteExpiredImports(services);
        await deleteOldRecipients(services);
        warnBeforeExpiry(services);
        await warnOfLists(services);
      },
    },
  ];
  const isUsed = ({ name }: Job) => name !== auditShippingJob || services.auditSyslog !== undefined;
  return jobs.filter(isUsed).map((job) => ({ ...job, summary: summaries[job.name] }));
}

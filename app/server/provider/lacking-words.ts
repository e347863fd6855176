import { t } from "#lib/messages/staff.ts";
import type { Call } from "#provider/contract/call.ts";

/** What a provider lacks that does not know a call, to complete "does not offer". */
export const lackingInWords = ({ method, path }: Call): string =>
  byPath[`${method} ${path}`] ??
  byPath[path] ??
  byEnd[
    path
      .replace(/\/\{\w+\}$/, "")
      .split("/")
      .at(-1)!
  ] ??
  t("server.provider.lackingWords.this");

const byPath: Record<string, string> = {
  "DELETE /users/{id}": t("server.provider.lackingWords.removingUsers"),
  "/users/{id}/invitation": t("server.provider.lackingWords.invitations"),
  "/users/{id}/erase": t("server.provider.lackingWords.erasingUsers"),
  "/audit": t("server.provider.lackingWords.anAuditTrail"),
  "/forgot-password": t("server.provider.lackingWords.passwordResets"),
  "/profile": t("server.provider.lackingWords.profiles"),
  "/profile/password": t("server.provider.lackingWords.passwordChanges"),
  "/scans/places": t("server.provider.lackingWords.aMapOfScans"),
  "/company": t("server.provider.lackingWords.companyProfiles"),
  "/company/tariff": t("server.provider.lackingWords.tariffChanges"),
  "/company/bill": t("server.provider.lackingWords.bills"),
};

/** By the end of the path: of `/documents/{id}` and `/bulk-issues/{id}/documents` it is documents. */
const byEnd: Record<string, string> = {
  users: t("server.provider.lackingWords.users"),
  "access-groups": t("server.provider.lackingWords.accessGroups"),
  members: t("server.provider.lackingWords.members"),
  branches: t("server.provider.lackingWords.branches"),
  suggestions: t("server.provider.lackingWords.suggestions"),
  "seal-keys": t("server.provider.lackingWords.sealKeys"),
  "alert-rules": t("server.provider.lackingWords.alertRules"),
  alerts: t("server.provider.lackingWords.alerts"),
  scans: t("server.provider.lackingWords.scans"),
  "bulk-actions": t("server.provider.lackingWords.bulkActions"),
  colleagues: t("server.provider.lackingWords.colleagues"),
  comments: t("server.provider.lackingWords.comments"),
  figures: t("server.provider.lackingWords.figures"),
  pages: t("server.provider.lackingWords.pages"),
  "document-options": t("server.provider.lackingWords.documentOptions"),
  documents: t("server.provider.lackingWords.documents"),
  readers: t("server.provider.lackingWords.readers"),
  "withdrawal-reasons": t("server.provider.lackingWords.withdrawalReasons"),
  recipients: t("server.provider.lackingWords.recipients"),
  "number-ranges": t("server.provider.lackingWords.numberRanges"),
  wallet: t("server.provider.lackingWords.wallets"),
  "wallet-offers": t("server.provider.lackingWords.wallets"),
  copies: t("server.provider.lackingWords.copies"),
  releases: t("server.provider.lackingWords.releases"),
  "release-rules": t("server.provider.lackingWords.releases"),
  labels: t("server.provider.lackingWords.labels"),
  "bulk-issues": t("server.provider.lackingWords.bulkIssues"),
  templates: t("server.provider.lackingWords.templates"),
  sessions: t("server.provider.lackingWords.sessions"),
  history: t("server.provider.lackingWords.history"),
  imports: t("server.provider.lackingWords.imports"),
  tariffs: t("server.provider.lackingWords.tariffs"),
  views: t("server.provider.lackingWords.views"),
  webhooks: t("server.provider.lackingWords.webhooks"),
  deliveries: t("server.provider.lackingWords.deliveries"),
  passkeys: t("server.provider.lackingWords.passkeys"),
  "second-factor": t("server.provider.lackingWords.secondFactor"),
  "recovery-codes": t("server.provider.lackingWords.recoveryCodes"),
  "single-sign-on": t("server.provider.lackingWords.singleSignOn"),
  "sign-in-link": t("server.provider.lackingWords.signInLink"),
  "email-confirmation": t("server.provider.lackingWords.emailConfirmation"),
  "file-check": t("server.provider.lackingWords.fileCheck"),
  help: t("server.provider.lackingWords.help"),
  calendar: t("server.provider.lackingWords.calendar"),
  "evidence.pdf": t("common.evidenceOfAlerts"),
  "receipt.pdf": t("common.receiptsOfDocuments"),
  "sealed-pdfs": t("server.provider.lackingWords.sealedPdfs"),
  search: t("server.provider.lackingWords.search"),
  "api-keys": t("common.apiKeys"),
};

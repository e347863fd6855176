import { say } from "#lib/messages/staff.ts";
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
  say("server.provider.lackingWords.this");

const byPath: Record<string, string> = {
  "DELETE /users/{id}": say("server.provider.lackingWords.removingUsers"),
  "/users/{id}/invitation": say("server.provider.lackingWords.invitations"),
  "/users/{id}/erase": say("server.provider.lackingWords.erasingUsers"),
  "/audit": say("server.provider.lackingWords.anAuditTrail"),
  "/forgot-password": say("server.provider.lackingWords.passwordResets"),
  "/profile": say("server.provider.lackingWords.profiles"),
  "/profile/password": say("server.provider.lackingWords.passwordChanges"),
  "/scans/places": say("server.provider.lackingWords.aMapOfScans"),
  "/company": say("server.provider.lackingWords.companyProfiles"),
  "/company/tariff": say("server.provider.lackingWords.tariffChanges"),
  "/company/bill": say("server.provider.lackingWords.bills"),
};

/** By the end of the path: of `/documents/{id}` and `/bulk-issues/{id}/documents` it is documents. */
const byEnd: Record<string, string> = {
  users: say("server.provider.lackingWords.users"),
  "access-groups": say("server.provider.lackingWords.accessGroups"),
  members: say("server.provider.lackingWords.members"),
  branches: say("server.provider.lackingWords.branches"),
  suggestions: say("server.provider.lackingWords.suggestions"),
  "seal-keys": say("server.provider.lackingWords.sealKeys"),
  "alert-rules": say("server.provider.lackingWords.alertRules"),
  alerts: say("server.provider.lackingWords.alerts"),
  scans: say("server.provider.lackingWords.scans"),
  "bulk-actions": say("server.provider.lackingWords.bulkActions"),
  colleagues: say("server.provider.lackingWords.colleagues"),
  comments: say("server.provider.lackingWords.comments"),
  figures: say("server.provider.lackingWords.figures"),
  pages: say("server.provider.lackingWords.pages"),
  "document-options": say("server.provider.lackingWords.documentOptions"),
  documents: say("server.provider.lackingWords.documents"),
  readers: say("server.provider.lackingWords.readers"),
  "withdrawal-reasons": say("server.provider.lackingWords.withdrawalReasons"),
  copies: say("server.provider.lackingWords.copies"),
  labels: say("server.provider.lackingWords.labels"),
  "bulk-issues": say("server.provider.lackingWords.bulkIssues"),
  templates: say("server.provider.lackingWords.templates"),
  sessions: say("server.provider.lackingWords.sessions"),
  history: say("server.provider.lackingWords.history"),
  imports: say("server.provider.lackingWords.imports"),
  tariffs: say("server.provider.lackingWords.tariffs"),
  views: say("server.provider.lackingWords.views"),
  webhooks: say("server.provider.lackingWords.webhooks"),
  deliveries: say("server.provider.lackingWords.deliveries"),
  passkeys: say("server.provider.lackingWords.passkeys"),
  "second-factor": say("server.provider.lackingWords.secondFactor"),
  "recovery-codes": say("server.provider.lackingWords.recoveryCodes"),
  "single-sign-on": say("server.provider.lackingWords.singleSignOn"),
  "sign-in-link": say("server.provider.lackingWords.signInLink"),
  "email-confirmation": say("server.provider.lackingWords.emailConfirmation"),
  "file-check": say("server.provider.lackingWords.fileCheck"),
  help: say("server.provider.lackingWords.help"),
  search: say("server.provider.lackingWords.search"),
  "api-keys": say("common.apiKeys"),
};

import type { z } from "zod";
import * as groups from "./access-groups.ts";
import * as cases from "./alert-cases.ts";
import * as alertRules from "./alert-rules.ts";
import * as alerts from "./alerts.ts";
import * as apiKeys from "./api-keys.ts";
import * as audit from "./audit.ts";
import * as branches from "./branches.ts";
import * as bulk from "./bulk-actions.ts";
import * as bulkIssues from "./bulk-issues.ts";
import * as calendar from "./calendar.ts";
import type { Call } from "./call.ts";
import * as company from "./company.ts";
import * as copies from "./copies.ts";
import * as documentFiles from "./document-files.ts";
import * as documentForm from "./document-form.ts";
import * as documents from "./documents.ts";
import * as emails from "./email-changes.ts";
import * as fileChecks from "./file-checks.ts";
import * as help from "./help.ts";
import * as hosts from "./hosts.ts";
import * as imports from "./imports.ts";
import * as labels from "./labels.ts";
import * as log from "./log.ts";
import * as numberRanges from "./number-ranges.ts";
import * as openSessions from "./open-sessions.ts";
import * as passkeys from "./passkeys.ts";
import * as profile from "./profile.ts";
import * as releaseRules from "./release-rules.ts";
import * as releases from "./releases.ts";
import * as received from "./received.ts";
import * as recipients from "./recipients.ts";
import * as scans from "./scans.ts";
import * as sealKeys from "./seal-keys.ts";
import * as sealedPdfs from "./sealed-pdfs.ts";
import * as search from "./search.ts";
import * as secondFactors from "./second-factors.ts";
import * as service from "./service.ts";
import * as sessions from "./sessions.ts";
import * as signatures from "./signatures.ts";
import * as singleSignOn from "./single-sign-on.ts";
import * as tariffs from "./tariffs.ts";
import * as templates from "./templates.ts";
import * as users from "./users.ts";
import * as verification from "./verify.ts";
import * as views from "./views.ts";
import * as wallet from "./wallet.ts";
import * as webhooks from "./webhooks.ts";
import * as withdrawalReasons from "./withdrawal-reasons.ts";

/** Exports of the contract's files: calls, and the schemas and limits around them. */
const exported = {
  ...groups,
  ...cases,
  ...alertRules,
  ...alerts,
  ...apiKeys,
  ...audit,
  ...branches,
  ...bulk,
  ...bulkIssues,
  ...calendar,
  ...company,
  ...copies,
  ...documentFiles,
  ...documentForm,
  ...documents,
  ...emails,
  ...fileChecks,
  ...help,
  ...hosts,
  ...imports,
  ...labels,
  ...log,
  ...numberRanges,
  ...openSessions,
  ...passkeys,
  ...profile,
  ...releaseRules,
  ...releases,
  ...received,
  ...recipients,
  ...scans,
  ...sealKeys,
  ...sealedPdfs,
  ...search,
  ...secondFactors,
  ...service,
  ...sessions,
  ...signatures,
  ...singleSignOn,
  ...tariffs,
  ...templates,
  ...users,
  ...verification,
  ...views,
  ...wallet,
  ...webhooks,
  ...withdrawalReasons,
};
type Exported = typeof exported;

export type Calls = { [Name in keyof Exported as Exported[Name] extends Call ? Name : never]: Exported[Name] };
export type CallName = keyof Calls;

type Query<Name extends CallName> = Calls[Name] extends { query: infer Fields extends z.ZodObject }
  ? z.output<Fields>
  : Record<never, never>;
type Paging = "page" | "per_page" | "after" | "before" | "sort";

/** The columns that a list can be sorted by. */
export type SortOf<Name extends CallName> =
  Query<Name> extends { sort?: infer Sort } ? Exclude<Sort & string, `-${string}`> : never;
/** The filters of a list. */
export type FilterOf<Name extends CallName> = Exclude<keyof Query<Name> & string, Paging>;

const isCall = (value: unknown) => typeof value === "object" && value !== null && "method" in value && "path" in value;

/** Every call of the contract by its name: what a file of a noun declares by `call` is served, sent and documented. */
export const calls = Object.fromEntries(Object.entries(exported).filter(([, value]) => isCall(value))) as Calls;

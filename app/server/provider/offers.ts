import { type CallName, calls } from "#provider/contract/calls.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import type { ProviderClient } from "./client-types.ts";
import { notOffered } from "./failure.ts";
import { lackingInWords } from "./lacking-words.ts";
import { isLacking, learnedForMs } from "./learned.ts";

/** What only a full provider offers; with a call, unless it lacks that. */
const extras = {
  /** Whether it filters, sorts and pages lists; others return whole lists. */
  lists: null,
  alerts: "listAlerts",
  alertRules: "listAlertRules",
  evidence: "getAlertEvidence",
  map: null,
  audit: null,
  readers: null,
  fileChecks: "checkDocumentFile",
  bulkActions: "startDocumentActions",
  imports: "createImport",
  copies: "listCopies",
  labels: "planLabels",
  receipts: "getReceipt",
  cases: "assignAlert",
  withdrawalReasons: "listWithdrawalReasons",
  numberRanges: "listNumberRanges",
  recipients: "getRecipientSettings",
  sealedPdfs: "planSealedPdfs",
  newVersions: null,
  releases: "listReleases",
  calendar: "getCalendar",
  bulkIssues: "listBulkIssues",
  templates: "listTemplates",
  search: "search",
  invitations: null,
  views: "listViews",
  secondFactor: "getSecondFactor",
  wallets: "getWallet",
  webhooks: "listWebhooks",
  apiKeys: "listOwnKeys",
} as const satisfies Record<string, CallName | null>;

/** Pages that any provider may have, by the call that each begins with. */
const tried = {
  company: "getCompany",
  branches: "listBranches",
  groups: "listAccessGroups",
  profile: "getProfile",
} as const satisfies Record<string, CallName>;

/** What a provider offers beyond the specification's ten calls. */
export type Offers = Record<keyof typeof extras | keyof typeof tried, boolean>;

/** One with a call, by which it is named in words. */
export type Offer = {
  [Name in keyof typeof extras]: (typeof extras)[Name] extends null ? never : Name;
}[keyof typeof extras];

/** The failure that says that the provider lacks an offer. */
export const lackingOffer = (name: Offer) => notOffered(lackingInWords(calls[extras[name]]));

/** Only a full provider counts what the company uses. */
const isFull = ({ usage }: Pick<CurrentUser, "usage">) => usage !== undefined;

export function offersOf(user: Pick<CurrentUser, "usage">): Offers {
  const full = isFull(user);
  return Object.fromEntries([
    ...Object.entries(extras).map(([name, call]) => [name, full && !(call && isLacking(call))]),
    ...Object.entries(tried).map(([name, call]) => [name, full || !isLacking(call)]),
  ]) as Offers;
}

const maxWaitMs = 2000;
let trying: Promise<unknown> | undefined;
let tryAgainAt = 0;

/** Makes each of those calls once in some minutes, so that no page links to what the provider does not have. */
export async function learnOffers(user: Pick<CurrentUser, "usage">, provider: () => ProviderClient) {
  if (isFull(user)) return;
  if (Date.now() >= tryAgainAt) {
    tryAgainAt = Date.now() + learnedForMs;
    trying = tryAll(provider()).finally(() => (trying = undefined));
  }
  if (!trying) return;
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([trying, new Promise((resolve) => (timer = setTimeout(resolve, maxWaitMs)))]);
  clearTimeout(timer);
}

const one = { per_page: "1" };

/** The client notes the outcomes. */
const tryAll = (provider: ProviderClient) =>
  Promise.allSettled([
    provider.getCompany(),
    provider.firstPage("listBranches", one),
    provider.firstPage("listAccessGroups", one),
    provider.getProfile(),
  ]);

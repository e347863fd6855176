import type { CallName } from "#provider/contract/calls.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import type { ProviderClient } from "./client-types.ts";
import { isLacking, learnedForMs } from "./learned.ts";

/** What a provider offers beyond the specification's ten calls. */
export type Offers = {
  /** Whether it filters, sorts and pages lists; others return whole lists. */
  lists: boolean;
  alerts: boolean;
  alertRules: boolean;
  evidence: boolean;
  map: boolean;
  audit: boolean;
  readers: boolean;
  fileChecks: boolean;
  bulkActions: boolean;
  imports: boolean;
  copies: boolean;
  labels: boolean;
  cases: boolean;
  withdrawalReasons: boolean;
  newVersions: boolean;
  calendar: boolean;
  bulkIssues: boolean;
  templates: boolean;
  search: boolean;
  invitations: boolean;
  views: boolean;
  secondFactor: boolean;
  webhooks: boolean;
  apiKeys: boolean;
} & Record<keyof typeof tried, boolean>;

/** Only a full provider counts what the company uses. */
const isFull = ({ usage }: Pick<CurrentUser, "usage">) => usage !== undefined;

/** Pages that any provider may have, by the call that each begins with. */
const tried = {
  company: "getCompany",
  branches: "listBranches",
  groups: "listAccessGroups",
  profile: "getProfile",
} as const satisfies Record<string, CallName>;

type Area = keyof typeof tried;
const areas = Object.keys(tried) as Area[];

export function offersOf(user: Pick<CurrentUser, "usage">): Offers {
  const full = isFull(user);
  const has = Object.fromEntries(areas.map((area) => [area, full || !isLacking(tried[area])])) as Record<Area, boolean>;
  return {
    lists: full,
    alerts: full,
    alertRules: full && !isLacking("listAlertRules"),
    evidence: full && !isLacking("getAlertEvidence"),
    map: full,
    audit: full,
    readers: full,
    labels: full && !isLacking("planLabels"),
    cases: full && !isLacking("assignAlert"),
    copies: full && !isLacking("listCopies"),
    bulkIssues: full && !isLacking("listBulkIssues"),
    search: full && !isLacking("search"),
    fileChecks: full && !isLacking("checkDocumentFile"),
    bulkActions: full && !isLacking("startDocumentActions"),
    withdrawalReasons: full && !isLacking("listWithdrawalReasons"),
    newVersions: full,
    calendar: full && !isLacking("getCalendar"),
    imports: full && !isLacking("createImport"),
    templates: full && !isLacking("listTemplates"),
    invitations: full,
    views: full && !isLacking("listViews"),
    secondFactor: full && !isLacking("getSecondFactor"),
    webhooks: full && !isLacking("listWebhooks"),
    apiKeys: full && !isLacking("listOwnKeys"),
    ...has,
  };
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

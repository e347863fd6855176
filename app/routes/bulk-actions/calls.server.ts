import { t } from "#lib/messages/staff.ts";
import type { BulkCheck, BulkAction, BulkNoun } from "#provider/contract/bulk-actions.ts";
import { maxColleagues } from "#provider/contract/comment-limits.ts";
import type { WithdrawalReason } from "#provider/contract/withdrawal-reasons.ts";
import type { Option } from "../../components/form/field.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure, orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { getOffers, getUser } from "../../server/sessions/current-user.ts";
import type { Context } from "../../server/request/router-context.ts";

/** The calls of each kind of records, which differ in whose rights they need. */
const calls = {
  documents: ["checkDocumentActions", "startDocumentActions"],
  alerts: ["checkAlertActions", "startAlertActions"],
  users: ["checkUserActions", "startUserActions"],
} as const;

export type Order = { act: string; ids: string; all: string; filters: string; allow?: string };

export function checkOrder(context: Context, noun: BulkNoun, order: Order): Promise<BulkCheck> {
  const name = calls[noun][0] as "checkDocumentActions";
  return getProvider(context)[name]({ query: order as never });
}

export function startOrder(context: Context, noun: BulkNoun, order: Order & object): Promise<BulkAction> {
  const name = calls[noun][1] as "startDocumentActions";
  return getProvider(context)[name]({ body: order as never });
}

/** What there is to choose from for an act; undefined is typed, or not asked for. */
export type Choices = {
  groups?: string[];
  owners?: Option[] | undefined;
  reasons?: WithdrawalReason[] | undefined;
  hasOutcomes?: boolean;
  /** How many documents could be prolonged if that were allowed. */
  allowable?: number;
};

/** `ready`: how many records the act can be done to as it is. */
export async function choicesFor(context: Context, noun: BulkNoun, order: Order, ready = 0): Promise<Choices> {
  const offers = getOffers(context);
  if (order.act === "group") return { groups: await groupChoices(context, noun) };
  if (order.act === "assign") return { owners: await ownerChoices(context, order) };
  if (order.act === "exit") {
    const reasons = offers.withdrawalReasons && orUndefinedIfHidden(getProvider(context).listWithdrawalReasons());
    return { reasons: (await reasons) || undefined };
  }
  if (order.act === "prolong") {
    const allowed = await checkOrder(context, noun, { ...order, allow: "1" });
    return { allowable: allowed.ready - ready };
  }
  return { hasOutcomes: offers.cases };
}

async function groupChoices(context: Context, noun: BulkNoun): Promise<string[]> {
  const provider = getProvider(context);
  if (noun === "documents") return (await provider.documentOptions()).groups;
  return (await provider.listAccessGroups()).map(({ name }) => name);
}

/** Those who may read the first of the alerts; an alert that the chosen one may not read is refused. */
async function ownerChoices(context: Context, { ids, all, filters }: Order): Promise<Option[] | undefined> {
  const provider = getProvider(context);
  const query = { ...Object.fromEntries(new URLSearchParams(filters)), per_page: "1" };
  const first = all ? (await provider.firstPage("listAlerts", query))[0]?.id : ids.split(",")[0];
  if (!first) return undefined;
  const { id: own } = getUser(context);
  try {
    const colleagues = await provider.listColleagues({ params: { id: String(first) }, query: {} });
    // There may be others: the owner is typed.
    if (colleagues.length >= maxColleagues) return undefined;
    const others = colleagues.filter(({ id }) => id !== own);
    return [
      { value: "", label: t("common.choose") },
      { value: "me", label: t("bulk-actions.calls.me") },
      ...others.map(({ name, email }) => ({ value: email, label: `${name}, ${email}` })),
      { value: "nobody", label: t("common.noOwner") },
    ];
  } catch (thrown) {
    // It may be gone meanwhile, or out of reach.
    if (asFailure(thrown, 403, 404)) return undefined;
    throw thrown;
  }
}

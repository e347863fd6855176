import type { BulkCheck, BulkAction, BulkNoun } from "#provider/contract/bulk-actions.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";

/** The calls of each kind of records, which differ in whose rights they need. */
const calls = {
  documents: ["checkDocumentActions", "startDocumentActions"],
  alerts: ["checkAlertActions", "startAlertActions"],
  users: ["checkUserActions", "startUserActions"],
} as const;

export type Order = { act: string; ids: string; all: string; filters: string };

export function checkOrder(context: Context, noun: BulkNoun, order: Order): Promise<BulkCheck> {
  const name = calls[noun][0] as "checkDocumentActions";
  return getProvider(context)[name]({ query: order as never });
}

export function startOrder(context: Context, noun: BulkNoun, order: Order & object): Promise<BulkAction> {
  const name = calls[noun][1] as "startDocumentActions";
  return getProvider(context)[name]({ body: order as never });
}

/** Access groups to choose from. */
export async function groupChoices(context: Context, noun: BulkNoun): Promise<string[]> {
  const provider = getProvider(context);
  if (noun === "documents") return (await provider.documentOptions()).groups;
  return (await provider.listAccessGroups()).map(({ name }) => name);
}

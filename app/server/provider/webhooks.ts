import { type Webhook, webhookAccess } from "#provider/contract/webhooks.ts";
import { getProvider } from "./context.ts";
import type { Context } from "../request/router-context.ts";
import { getOffers, getUser, may } from "../sessions/current-user.ts";

export const mayManageWebhooks = (context: Context) =>
  getOffers(context).webhooks && may(getUser(context), webhookAccess.area, webhookAccess.right);

/** How many webhooks fail, and how many are off though no user wanted that. */
export const countTrouble = (webhooks: Webhook[]) => ({
  failing: webhooks.filter(({ enabled, failures }) => enabled && failures > 0).length,
  off: webhooks.filter(({ enabled, disabled_because }) => !enabled && disabled_because !== "user").length,
});

export async function readTrouble(context: Context) {
  if (!mayManageWebhooks(context)) return undefined;
  return countTrouble(await getProvider(context).listWebhooks());
}

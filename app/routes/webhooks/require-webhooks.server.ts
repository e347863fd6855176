import { t } from "#lib/messages/staff.ts";
import { webhookAccess } from "#provider/contract/webhooks.ts";
import { notOffered } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers, requireRight } from "../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't manage webhooks. */
export function requireWebhooks(context: Context) {
  if (!getOffers(context).webhooks) throw notOffered(t("webhooks.requireWebhooks.notOffered"));
  requireRight(context, webhookAccess.area, webhookAccess.right, t("webhooks.requireWebhooks.action"));
}

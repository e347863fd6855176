import { t } from "#lib/messages/staff.ts";
import { webhookAccess } from "#provider/contract/webhooks.ts";
import type { Context } from "../../server/request/router-context.ts";
import { requireOffer, requireRight } from "../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't manage webhooks. */
export function requireWebhooks(context: Context) {
  requireOffer(context, "webhooks");
  requireRight(context, webhookAccess.area, webhookAccess.right, t("webhooks.requireWebhooks.action"));
}

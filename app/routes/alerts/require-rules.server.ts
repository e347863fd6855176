import { t } from "#lib/messages/staff.ts";
import type { Context } from "../../server/request/router-context.ts";
import { requireOffer, requireRightInCompany } from "../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't set rules. */
export function requireRules(context: Context) {
  requireOffer(context, "alertRules");
  requireRightInCompany(context, "alerts", "write", t("alerts.requireRules.action"));
}

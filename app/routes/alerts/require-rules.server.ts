import { t } from "#lib/messages/staff.ts";
import { notOffered } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers, requireRightInCompany } from "../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't set rules. */
export function requireRules(context: Context) {
  if (!getOffers(context).alertRules) throw notOffered(t("alerts.requireRules.notOffered"));
  requireRightInCompany(context, "alerts", "write", t("alerts.requireRules.action"));
}

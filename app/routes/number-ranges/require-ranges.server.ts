import { t } from "#lib/messages/staff.ts";
import type { Context } from "../../server/request/router-context.ts";
import { requireOffer, requireRight } from "../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't see or change number ranges. */
export function requireRanges(context: Context, right: "read" | "write") {
  requireOffer(context, "numberRanges");
  requireRight(context, "co_profile", right, t("number-ranges.requireRanges.action", { right }));
}

import { t } from "#lib/messages/staff.ts";
import { notOffered } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers, requireRight } from "../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't see or change number ranges. */
export function requireRanges(context: Context, right: "read" | "write") {
  if (!getOffers(context).numberRanges) throw notOffered(t("server.provider.lackingWords.numberRanges"));
  requireRight(context, "co_profile", right, t("number-ranges.requireRanges.action", { right }));
}

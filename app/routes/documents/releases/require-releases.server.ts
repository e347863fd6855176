import { t } from "#lib/messages/staff.ts";
import { notOffered } from "../../../server/provider/failure.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getOffers, requireRight } from "../../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't see what awaits release. */
export function requireReleases(context: Context) {
  if (!getOffers(context).releases) throw notOffered(t("server.provider.lackingWords.releases"));
  requireRight(context, "docs", "read", t("documents.releases.seeAction"));
}

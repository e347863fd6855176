import { t } from "#lib/messages/staff.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { requireOffer, requireRight } from "../../../server/sessions/current-user.ts";

/** Throws the page that says why a user can't see what awaits release. */
export function requireReleases(context: Context) {
  requireOffer(context, "releases");
  requireRight(context, "docs", "read", t("documents.releases.seeAction"));
}

import { t } from "#lib/messages/staff.ts";
import { notOffered } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers } from "../../server/sessions/current-user.ts";

/** Refuses the page if the provider has no imports. */
export function requireImports(context: Context) {
  if (!getOffers(context).imports) throw notOffered(t("imports.offers.imports"));
}

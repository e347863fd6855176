import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers } from "../../server/sessions/current-user.ts";

/** How many documents in force expire soon; undefined for those who may not read documents. */
export async function readExpiringSoon(context: Context) {
  if (!getOffers(context).calendar) return undefined;
  const counts = await orUndefinedIfHidden(getProvider(context).countExpiring());
  return counts && { documents: counts.documents, isCapped: counts.is_capped };
}

import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getOffers } from "../../server/sessions/current-user.ts";

/** How alerts were handled, and how many open ones the user owns; undefined for those who may not read alerts. */
export async function readCaseFigures(context: Context) {
  if (!getOffers(context).cases) return undefined;
  const provider = getProvider(context);
  const [figures, mine] = await Promise.all([
    orUndefinedIfHidden(provider.alertFigures()),
    orUndefinedIfHidden(provider.list("listAlerts", { owner: "me", state: "open", page: "1", per_page: "1" })),
  ]);
  return figures && mine && { figures, mine: mine.total ?? mine.rows.length };
}

import { rangeOf } from "../../server/provider/forward-file.ts";
import { holdersProvider, orSignIn } from "../../server/sessions/holder.ts";
import type { Route } from "./+types/received-file";
import { forwardPublicFile } from "./public-file.server.ts";

/** The sealed PDF, or it with its proofs, for its holder to save; each has a route of its own. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const provider = await holdersProvider({ request, context }, params.id);
  const file = url.pathname.endsWith(".zip")
    ? provider.getReceivedProof({ params })
    : provider.getReceivedPdf({ params, headers: rangeOf(request) });
  return forwardPublicFile({ request, url }, orSignIn(url, file));
}

import { rangeOf } from "../../server/provider/forward-file.ts";
import { holdersProvider, orSignIn } from "../../server/sessions/holder.ts";
import type { Route } from "./+types/received-pdf";
import { forwardPublicFile } from "./public-file.server.ts";

/** The sealed PDF, for its holder to save. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const provider = await holdersProvider({ request, context }, params.id);
  const file = provider.getReceivedPdf({ params, headers: rangeOf(request) });
  return forwardPublicFile({ request, url }, orSignIn(url, file));
}

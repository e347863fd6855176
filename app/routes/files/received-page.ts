import { holdersProvider, orSignIn } from "../../server/sessions/holder.ts";
import type { Route } from "./+types/received-page";
import { forwardPublicFile } from "./public-file.server.ts";

/** An image of a page, for the document's holder. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const provider = await holdersProvider({ request, context }, params.id);
  const page = url.searchParams.get("page") ?? undefined;
  return forwardPublicFile({ request, url }, orSignIn(url, provider.getReceivedPage({ params, query: { page } })));
}

import { getProvider } from "../../server/provider/context.ts";
import { passOnMade } from "./pass-on.server.ts";
import type { Route } from "./+types/open-page";

/** A page of a document that is open to all. */
export const loader = async ({ context, params, url }: Route.LoaderArgs) =>
  passOnMade(
    getProvider(context).getOpenPage({ params, query: { page: url.searchParams.get("page") ?? undefined } }),
    true,
  );

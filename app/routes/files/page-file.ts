import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/page-file";
import { passOnMade, rangeOf } from "./pass-on.server.ts";

/** A page file for saving, without metadata. */
export const loader = async ({ request, context, params }: Route.LoaderArgs) =>
  passOnMade(getProvider(context).getPageFile({ params, headers: rangeOf(request) }));

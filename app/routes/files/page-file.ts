import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/page-file";
import { forwardMadeFile, rangeOf } from "../../server/provider/forward-file.ts";

/** A page file to save, without metadata. */
export const loader = async ({ request, context, params }: Route.LoaderArgs) =>
  forwardMadeFile(getProvider(context).getPageFile({ params, headers: rangeOf(request) }));

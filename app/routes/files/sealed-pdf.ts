import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/sealed-pdf";
import { forwardMadeFile, rangeOf } from "./forward.server.ts";

/** The sealed PDF, to save. */
export const loader = async ({ request, context, params }: Route.LoaderArgs) =>
  forwardMadeFile(getProvider(context).getSealedPdf({ params, headers: rangeOf(request) }));

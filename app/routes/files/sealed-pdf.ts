import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/sealed-pdf";
import { copyQuery } from "./copy-query.ts";
import { forwardMadeFile, rangeOf } from "../../server/provider/forward-file.ts";

/** The sealed PDF, or that of a copy, to save. */
export const loader = async ({ request, context, params, url }: Route.LoaderArgs) =>
  forwardMadeFile(getProvider(context).getSealedPdf({ params, query: copyQuery(url), headers: rangeOf(request) }));

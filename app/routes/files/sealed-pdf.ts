import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/sealed-pdf";
import { passOnMade, rangeOf } from "./pass-on.server.ts";

/** All pages as one PDF with the QR code on them, for saving. */
export const loader = async ({ request, context, params }: Route.LoaderArgs) =>
  passOnMade(getProvider(context).getSealedPdf({ params, headers: rangeOf(request) }));

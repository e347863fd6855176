import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/alert-evidence";
import { forwardMadeFile } from "./forward.server.ts";

/** The evidence of an alert, to save. */
export const loader = async ({ context, params }: Route.LoaderArgs) =>
  forwardMadeFile(getProvider(context).getAlertEvidence({ params }));

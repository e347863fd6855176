import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/alert-evidence";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";

/** The evidence of an alert, to save. */
export const loader = async ({ context, params }: Route.LoaderArgs) =>
  forwardOfferedFile(context, "evidence", getProvider(context).getAlertEvidence({ params }));

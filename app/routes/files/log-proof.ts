import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/log-proof";
import { forwardPublicFile } from "./public-file.server.ts";

/** The proof that a document is in the log, to save. */
export const loader = ({ context, params, ...asked }: Route.LoaderArgs) =>
  forwardPublicFile(asked, getProvider(context).getLogProof({ params }));

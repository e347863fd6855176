import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/log-proof";
import { forwardPublicFile } from "./public-file.server.ts";

/** The proof that a document is in the log, to save: as it was entered, or `?entry=newest` as it is now. */
export const loader = ({ context, params, ...asked }: Route.LoaderArgs) => {
  const entry = asked.url.searchParams.get("entry") === "newest" ? "newest" : "first";
  return forwardPublicFile(asked, getProvider(context).getLogProof({ params, query: { entry } }));
};

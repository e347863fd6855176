import { forwardOfferedFile } from "../../server/provider/forward-file.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/release-page";

/** A page file of what awaits release, to save. */
export const loader = async ({ context, params }: Route.LoaderArgs) => {
  return forwardOfferedFile(context, "releases", getProvider(context).getReleasePage({ params }));
};

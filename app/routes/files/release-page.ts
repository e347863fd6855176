import { t } from "#lib/messages/staff.ts";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/release-page";

/** A page file of what awaits release, to save. */
export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const lacking = t("server.provider.lackingWords.releases");
  return forwardOfferedFile(context, "releases", lacking, getProvider(context).getReleasePage({ params }));
};

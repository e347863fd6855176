import { t } from "#lib/messages/staff.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/labels";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";

/** Labels to print, to save. */
export const loader = async ({ context, url }: Route.LoaderArgs) =>
  forwardOfferedFile(
    context,
    "labels",
    t("documents.offers.labels"),
    getProvider(context).getLabels({ query: Object.fromEntries(url.searchParams) }),
  );

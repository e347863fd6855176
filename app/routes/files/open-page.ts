import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/open-page";
import { forwardPublicFile } from "./public-file.server.ts";

/** An image of a page of an “Open to all” document. */
export const loader = ({ context, params, url, ...asked }: Route.LoaderArgs) => {
  const query = { page: url.searchParams.get("page") ?? undefined };
  return forwardPublicFile({ ...asked, url }, getProvider(context).getOpenPage({ params, query }));
};

import { getProvider } from "../../server/provider/context.ts";
import { forwardMadeFile } from "../../server/provider/forward-file.ts";
import type { Route } from "./+types/open-page";

/** An image of a page of an “Open to all” document. */
export const loader = async ({ context, params, url }: Route.LoaderArgs) =>
  forwardMadeFile(
    getProvider(context).getOpenPage({ params, query: { page: url.searchParams.get("page") ?? undefined } }),
    { isPublic: true },
  );

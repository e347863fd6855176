import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/page-thumbnail";
import { passOnMade } from "./pass-on.server.ts";

/** A drawing of one page: `?page=` within its file, `?size=large` to read it. */
export const loader = async ({ context, params, url }: Route.LoaderArgs) =>
  passOnMade(
    getProvider(context).getPageThumbnail({
      params,
      query: {
        page: url.searchParams.get("page") ?? undefined,
        size: url.searchParams.get("size") === "large" ? "large" : "small",
      },
    }),
  );

import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/page-thumbnail";
import { forwardMadeFile } from "../../server/provider/forward-file.ts";

/** An image of one page: `?page=` within its file, `?size=large` to read it. */
export const loader = async ({ context, params, url }: Route.LoaderArgs) =>
  forwardMadeFile(
    getProvider(context).getPageThumbnail({
      params,
      query: {
        page: url.searchParams.get("page") ?? undefined,
        size: url.searchParams.get("size") === "large" ? "large" : "small",
      },
    }),
  );

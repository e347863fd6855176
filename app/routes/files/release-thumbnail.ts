import { forwardOfferedFile } from "../../server/provider/forward-file.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/release-thumbnail";

/** An image of one page of what awaits release: `?page=` within its file, `?size=large` to read it. */
export const loader = async ({ context, params, url }: Route.LoaderArgs) => {
  const size = url.searchParams.get("size") === "large" ? ("large" as const) : ("small" as const);
  const page = url.searchParams.get("page") ?? undefined;
  const drawing = getProvider(context).getReleaseThumbnail({ params, query: { page, size } });
  return forwardOfferedFile(context, "releases", drawing);
};

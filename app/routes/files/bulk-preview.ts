import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/bulk-preview";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";

/** An image of the document that a row of a bulk issue would become: `?page=` of it. */
export const loader = async ({ context, params, url }: Route.LoaderArgs) =>
  forwardOfferedFile(
    context,
    "bulkIssues",
    getProvider(context).previewBulkRow({ params, query: { page: url.searchParams.get("page") ?? undefined } }),
  );

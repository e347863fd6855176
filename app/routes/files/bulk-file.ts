import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/bulk-file";
import { forwardOfferedFile } from "../../server/provider/forward-file.ts";

const calls = {
  "result.csv": "getBulkResult",
  "refused.csv": "getBulkRefused",
  "sealed.zip": "getBulkSealed",
} as const;

/** The results of a bulk issue as downloads; each file has a route of its own. */
export async function loader({ context, url, params: { id } }: Route.LoaderArgs) {
  const file = url.pathname.split("/").at(-1) as keyof typeof calls;
  return forwardOfferedFile(context, "bulkIssues", getProvider(context)[calls[file]]({ params: { id } }));
}

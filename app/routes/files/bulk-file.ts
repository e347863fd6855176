import { getProvider } from "../../server/provider/context.ts";
import { failure } from "../../server/provider/failure.ts";
import type { Route } from "./+types/bulk-file";
import { forwardMadeFile } from "./forward.server.ts";

const calls = {
  "result.csv": "getBulkResult",
  "refused.csv": "getBulkRefused",
  "sealed.zip": "getBulkSealed",
} as const;

/** What comes of a bulk issue, to save. */
export async function loader({ context, params: { id, file } }: Route.LoaderArgs) {
  if (!Object.hasOwn(calls, file)) throw failure(404, { kind: "refused", message: "Not found" });
  return forwardMadeFile(getProvider(context)[calls[file as keyof typeof calls]]({ params: { id } }));
}

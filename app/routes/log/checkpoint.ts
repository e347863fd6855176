import { getProvider } from "../../server/provider/context.ts";
import { briefly, publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/checkpoint";

/** The newest checkpoint of a log (C2SP tlog-checkpoint). */
export const loader = ({ request, context, params }: Route.LoaderArgs) =>
  publishedFile(
    request,
    "text/plain; charset=utf-8",
    async () => (await getProvider(context).publishedCheckpoint({ params })).note,
    briefly,
  );

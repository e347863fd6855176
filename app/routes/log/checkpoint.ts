import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/checkpoint";

const cacheControl = "public, max-age=10";

/** The newest checkpoint of a log (C2SP tlog-checkpoint). */
export const loader = ({ request, context, params }: Route.LoaderArgs) =>
  publishedFile(
    request,
    "text/plain; charset=utf-8",
    async () => (await getProvider(context).publishedCheckpoint({ params })).note,
    cacheControl,
  );

import { getProvider } from "../../server/provider/context.ts";
import { briefly, publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/logs";

/** The names and keys of the log, the newest first; for as short a time as its checkpoint, since a new one may begin. */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  publishedFile(
    request,
    "application/json",
    async () => JSON.stringify(await getProvider(context).publishedLogs()),
    briefly,
  );

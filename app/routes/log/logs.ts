import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/logs";

/** The names and keys of the log, the newest first. */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  publishedFile(request, "application/json", async () => JSON.stringify(await getProvider(context).publishedLogs()));

import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/status-lists";

/** The addresses of all status lists (IETF Token Status List, aggregation). */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  publishedFile(request, "application/json", async () =>
    JSON.stringify(await getProvider(context).publishedStatusLists()),
  );

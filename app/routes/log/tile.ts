import { daysInSeconds } from "#lib/units.ts";
import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/tile";

/** Once it is there, a tile never changes. */
const cacheControl = `public, max-age=${daysInSeconds(365)}, immutable`;

/** A tile of hashes or a bundle of entries (C2SP tlog-tiles). */
export const loader = ({ request, context, params }: Route.LoaderArgs) =>
  publishedFile(
    request,
    "application/octet-stream",
    async () => {
      const query = { path: `tile/${params["*"]}` };
      return (await getProvider(context).publishedTile({ params, query })).bytes();
    },
    cacheControl,
  );

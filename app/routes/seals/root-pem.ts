import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/root-pem";

/** The root certificates of this installation, the newest first. */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  publishedFile(request, "application/x-pem-file", async () => {
    const roots = await getProvider(context).publishedSealRoots();
    return roots.map(({ certificate }) => certificate).join("");
  });

import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/jwks";

/** The public seal keys of all companies, as a JWK Set (RFC 7517). */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  publishedFile(request, "application/jwk-set+json", async () =>
    JSON.stringify(await getProvider(context).publishedSealKeys()),
  );

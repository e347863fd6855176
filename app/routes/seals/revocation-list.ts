import { asFailure } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/revocation-list";

/** The revoked keys of a root certificate (RFC 5280), as its certificates name it. */
export const loader = ({ request, context, params }: Route.LoaderArgs) =>
  publishedFile(request, "application/pkix-crl", async () => {
    try {
      return Buffer.from((await getProvider(context).publishedRevocationList({ params })).list, "base64");
    } catch (thrown) {
      if (!asFailure(thrown, 404)) throw thrown;
      return "";
    }
  });

import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/revocation-list";

/** The revoked keys of a root certificate (RFC 5280), as its certificates name it. */
export const loader = ({ request, context, params }: Route.LoaderArgs) =>
  publishedFile(request, "application/pkix-crl", async () =>
    Buffer.from((await getProvider(context).publishedRevocationList({ params })).list, "base64"),
  );

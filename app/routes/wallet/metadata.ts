import { walletMetadata } from "#provider/contract/wallet.ts";
import { getProvider } from "../../server/provider/context.ts";
import { briefly, publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/metadata";

/** What wallets and verifiers read of a company as an issuer; at the address of its credentials' type, about that. */
export function loader({ request, context, params }: Route.LoaderArgs) {
  const parsed = walletMetadata.params.safeParse({ metadata: "type", ...params });
  const read = async () =>
    parsed.data ? JSON.stringify(await getProvider(context).walletMetadata({ params: parsed.data })) : "";
  return publishedFile(request, "application/json", read, briefly);
}

import { walletListEnd } from "#provider/contract/wallet-fields.ts";
import { getProvider } from "../../server/provider/context.ts";
import { notAtAll, publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/status-list";

/** Which codes or credentials of a company are still in force, signed (IETF Token Status List). */
export const loader = ({ request, context, params }: Route.LoaderArgs) =>
  publishedFile(
    request,
    "application/statuslist+jwt",
    async () => (await getProvider(context).publishedStatusList({ params })).token,
    params.list.endsWith(walletListEnd) ? notAtAll : undefined,
  );

import { getProvider } from "../../server/provider/context.ts";
import { publishedFile } from "../../server/seals.ts";
import type { Route } from "./+types/status-list";

/** Which codes of a company are still in force, signed (IETF Token Status List). */
export const loader = ({ request, context, params }: Route.LoaderArgs) =>
  publishedFile(
    request,
    "application/statuslist+jwt",
    async () => (await getProvider(context).publishedStatusList({ params })).token,
  );

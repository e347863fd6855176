import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/branch-image";
import { passOn } from "./pass-on.server.ts";
import { picture } from "./picture.server.ts";

/** A branch's picture. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const provider = getProvider(context);
  return passOn(
    await picture(
      provider,
      () => provider.getBranchImage({ params }),
      async () => (await provider.getBranch({ params })).imageUrl,
    ),
  );
}

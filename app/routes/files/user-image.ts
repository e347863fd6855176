import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/user-image";
import { passOn } from "./pass-on.server.ts";
import { picture } from "./picture.server.ts";

/** A user's picture. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const provider = getProvider(context);
  return passOn(
    await picture(
      provider,
      () => provider.getUserImage({ params }),
      async () => (await provider.getUser({ params })).imageUrl,
    ),
  );
}

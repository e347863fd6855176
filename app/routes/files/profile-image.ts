import { fetchCurrentUser } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/profile-image";
import { passOn } from "./pass-on.ts";
import { picture } from "./picture.ts";

/** The signed-in user's own picture, for the header of every page. */
export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  return passOn(
    await picture(
      provider,
      () => provider.getProfileImage(),
      async () => (await fetchCurrentUser(context)).imageUrl,
    ),
  );
}

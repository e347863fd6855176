import { fetchCurrentUser } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/image";
import { forwardFile } from "../../server/provider/forward-file.ts";
import { providerPicture } from "./picture.server.ts";

/** The call that replies with the picture, and the picture's address for providers without that call. */
type Source = [byCall: () => Promise<Response>, addressOf: () => Promise<string>];

/** The picture of the signed-in user, the company, a branch or a user. */
export async function loader({ context, params, pattern }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const record = { params: { id: "", ...params } };
  const sources: Record<string, Source> = {
    "files/profile/image": [() => provider.getProfileImage(), async () => (await fetchCurrentUser(context)).imageUrl],
    "files/company/image": [() => provider.getCompanyImage(), async () => (await provider.getCompany()).img],
    "files/branches/:id/image": [
      () => provider.getBranchImage(record),
      async () => (await provider.getBranch(record)).imageUrl,
    ],
    "files/users/:id/image": [
      () => provider.getUserImage(record),
      async () => (await provider.getUser(record)).imageUrl,
    ],
  };
  return forwardFile(await providerPicture(provider, ...sources[pattern.replace(/^\//, "")]!));
}

import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/company-image";
import { passOn } from "./pass-on.server.ts";
import { picture } from "./picture.server.ts";

/** The company's picture. */
export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  return passOn(
    await picture(
      provider,
      () => provider.getCompanyImage(),
      async () => (await provider.getCompany()).img,
    ),
  );
}

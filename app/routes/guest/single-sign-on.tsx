import { redirect } from "react-router";
import { getProvider } from "../../server/provider/context.ts";
import { isLedByOwnPage } from "../../server/request/security.ts";
import { beginPath, requireSingleSignOn, signInPath, storeAttempt } from "../../server/sessions/single-sign-on.ts";
import type { Route } from "./+types/single-sign-on";
import { NotSignedIn } from "./not-signed-in.tsx";
import { asNotSignedIn } from "./single-sign-on-failure.server.ts";

/**
 * Sends the browser to an identity provider. A link leads here, as forms may not lead to other sites. From elsewhere the
 * page with that link comes first: it names the company, which a stranger may have chosen.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  requireSingleSignOn();
  const address = url.searchParams.get("address") ?? "";
  if (!isLedByOwnPage(request)) return redirect(signInPath(address, url));
  try {
    const attempt = await getProvider(context).beginSingleSignOn({ body: { address } });
    const cookie = await storeAttempt(attempt.attempt, url.searchParams.get("next"));
    return redirect(attempt.url, { headers: { "set-cookie": cookie } });
  } catch (thrown) {
    return asNotSignedIn(thrown, beginPath(address, url));
  }
}

export default function SingleSignOn({ loaderData }: Route.ComponentProps) {
  return <NotSignedIn {...loaderData} />;
}

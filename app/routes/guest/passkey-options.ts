import { getProvider } from "../../server/provider/context.ts";
import { rememberBrowser } from "../../server/sessions/browser.ts";
import type { Route } from "./+types/passkey-options";

/** What a browser is asked about a passkey: to sign in, to prove that its user is present, or to add one. */
export async function action({ context, url: { pathname } }: Route.ActionArgs) {
  // The answer counts from the same browser only.
  rememberBrowser(context);
  const provider = getProvider(context);
  const asked = pathname.startsWith("/login")
    ? provider.signInOptions()
    : pathname.startsWith("/confirm")
      ? provider.proofOptions()
      : provider.passkeyOptions();
  return Response.json((await asked).options);
}

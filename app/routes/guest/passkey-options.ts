import { redirect } from "react-router";
import { getProvider } from "../../server/provider/context.ts";
import { rememberBrowser } from "../../server/sessions/browser.ts";
import type { Route } from "./+types/passkey-options";

/** Opened by hand it leads to the page that asks. */
export const loader = ({ url: { pathname } }: Route.LoaderArgs) => redirect(pathname.replace(/\/passkeys?\/.*/, ""));

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

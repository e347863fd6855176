import { redirect } from "react-router";
import { getProvider } from "../../server/provider/context.ts";
import { rememberBrowser } from "../../server/sessions/browser.ts";
import type { Route } from "./+types/passkey-options";

/** Opened by hand, it leads to the page with the form. */
export const loader = ({ url: { pathname } }: Route.LoaderArgs) => redirect(pathname.replace(/\/passkeys?\/.*/, ""));

/** The options with which a browser uses a passkey, to sign in or to prove that its user is present, or makes one. */
export async function action({ context, url: { pathname } }: Route.ActionArgs) {
  // The answer counts from the same browser only.
  rememberBrowser(context);
  const provider = getProvider(context);
  const options = pathname.startsWith("/login")
    ? provider.signInOptions()
    : pathname.startsWith("/confirm")
      ? provider.proofOptions()
      : provider.passkeyOptions();
  return Response.json((await options).options);
}

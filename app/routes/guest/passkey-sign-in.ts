import { redirect } from "react-router";
import { signInByPasskey } from "#provider/contract/passkeys.ts";
import { readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { redirectConfirmed, signBrowserIn } from "../../server/sessions/sign-in.ts";
import type { Route } from "./+types/passkey-sign-in";

/** Opened by hand, it leads to the page with the form. */
export const loader = ({ url: { pathname } }: Route.LoaderArgs) => redirect(pathname.replace(/\/passkey$/, ""));

/** Signs in with a passkey at `/login/passkey`; at `/confirm/passkey` it proves that the user is present. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request, signInByPasskey.body);
  const body = { response: form.get("response") ?? "" };
  const provider = getProvider(context);
  const page = url.pathname.replace(/\/passkey$/, "");
  const next = url.searchParams.get("next");
  try {
    if (page === "/login") return signBrowserIn(context, next, await provider.signInByPasskey({ body }));
    await provider.proveByPasskey({ body });
  } catch (thrown) {
    if (!asFailure(thrown, 422, 429)) throw thrown;
    const parameters = new URLSearchParams(url.search);
    parameters.set("passkey", "refused");
    return redirect(`${page}?${parameters}`);
  }
  return redirectConfirmed(context, next);
}

/** Makes it a page, so that what fails is shown as one. */
export default function PasskeySignIn() {
  return null;
}

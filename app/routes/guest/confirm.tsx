import { prove } from "#provider/contract/second-factors.ts";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser } from "../../server/sessions/current-user.ts";
import { safeRedirectPath } from "../../server/request/safe-redirect.ts";
import { redirectConfirmed } from "../../server/sessions/sign-in.ts";
import { hasPasskeys } from "../../server/sessions/passkeys.ts";
import type { Route } from "./+types/confirm";
import { ConfirmForm } from "./confirm-form.tsx";

/** Asks users to prove that they are present, before what they wanted to do. */

export const headers = actionHeaders;

export async function loader({ context, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const { email, must_set_up_second_factor: mustSetUp } = getUser(context);
  const [{ set_up_at, has_password: hasPassword }, passkeys = []] = await Promise.all([
    provider.getSecondFactor(),
    mustSetUp || !hasPasskeys() ? undefined : provider.listPasskeys(),
  ]);
  // The page that the user came from, without a dialog.
  const cancelPath = safeRedirectPath(url.searchParams.get("next"), "/dashboard").replace(/\?.*/, "");
  return { email, hasPassword, needsCode: set_up_at !== null, hasPasskey: passkeys.length > 0, cancelPath };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return handleForm(await readForm(request, prove.body), {
    schema: prove.body,
    secrets: ["current_password", "code"],
    async save(body) {
      await getProvider(context).prove({ body });
      return redirectConfirmed(context, url.searchParams.get("next"));
    },
  });
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmForm {...loaderData} reply={actionData} />;
}

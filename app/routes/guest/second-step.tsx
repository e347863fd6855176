import { redirect } from "react-router";
import { confirmSignIn } from "#provider/contract/second-factors.ts";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { providerWithToken } from "../../server/provider/context.ts";
import { getSession } from "../../server/sessions/session.ts";
import { signBrowserIn } from "../../server/sessions/sign-in.ts";
import type { Route } from "./+types/second-step";
import { SecondStepForm } from "./second-step-form.tsx";

/** The second step of a sign-in, after the right password. */

export const headers = actionHeaders;

/** The token of the second step; leads to the first one without it. */
function requireToken({ context, url }: Pick<Route.LoaderArgs, "context" | "url">) {
  const token = getSession(context).get("secondStepToken");
  if (!token) throw redirect(`/login?${url.searchParams}`);
  return token;
}

export function loader(from: Route.LoaderArgs) {
  requireToken(from);
  return null;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request, confirmSignIn.body);
  const token = requireToken({ context, url });
  return handleForm(form, {
    schema: confirmSignIn.body,
    secrets: ["code"],
    async save(body) {
      const opened = await providerWithToken({ request, context }, token).confirmSignIn({ body });
      return signBrowserIn(context, url.searchParams.get("next"), opened, opened.recovery_codes);
    },
  });
}

export default function SecondStep({ actionData }: Route.ComponentProps) {
  return <SecondStepForm reply={actionData} />;
}

import { useForm } from "@conform-to/react";
import { Form, Link, redirect, redirectDocument, useSearchParams } from "react-router";
import type { z } from "zod";
import { login } from "#provider/contract/sessions.ts";
import { ErrorSummary, summaryOf } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { rememberBrowser } from "../../server/sessions/browser.ts";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { safeRedirectPath } from "../../server/request/safe-redirect.ts";
import { getProvider } from "../../server/provider/context.ts";
import { failure } from "../../server/provider/failure.ts";
import { getSession, maxTokenLength, redirectWithNotice } from "../../server/sessions/session.ts";
import { readWays } from "../../server/sessions/single-sign-on.ts";
import type { Route } from "./+types/login";
import { OtherWays } from "./other-ways.tsx";

export const headers = actionHeaders;

export const loader = ({ context, url }: Route.LoaderArgs) => readWays(context, url);

export async function action({ request, context, url }: Route.ActionArgs) {
  return handleForm(await readForm(request, login.body), {
    schema: login.body,
    secrets: ["password"],
    messageField: "email",
    async save(body) {
      const { user, token } = await getProvider(context).login({ body });
      if (token.length > maxTokenLength) {
        const message = "The provider’s token is too long for a cookie. Contact the operator of the provider.";
        throw failure(422, { kind: "refused", message });
      }
      const session = getSession(context);
      session.set("token", token);
      session.unset("signOutOrigin");
      if (!session.has("user")) session.set("user", user.id);
      rememberBrowser(context);
      const path = safeRedirectPath(url.searchParams.get("next") ?? "/dashboard");
      // An interrupted form comes back with a document of its own (`server/sessions/restore.ts`).
      const redirectBy = session.has("interrupted") ? redirectDocument : redirect;
      return redirectWithNotice(context, path, `Signed in as ${user.name || user.email}`, { redirectBy });
    },
  });
}

/** What became of a form that was sent after the session had ended. */
function aboutForm(form: string | null) {
  if (form === "kept") {
    return " Nothing is saved yet: what you typed will be in the form again, except passwords and files.";
  }
  return form === "lost" ? " Nothing was saved, and what you typed has to be entered again." : "";
}

export default function Login({ loaderData: { passwords, others }, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<z.input<typeof login.body>>({ id: "login", lastResult: actionData });
  const [parameters] = useSearchParams();
  const errors = summaryOf(form.allErrors, (name) => `${form.id}-${name}`);
  return (
    <>
      <PageTitle title="Sign in" hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>Sign in</h1>
      <p className="lead mb-6">
        {parameters.has("next")
          ? `Sign in to continue.${aboutForm(parameters.get("form"))}`
          : passwords
            ? "Use your work email."
            : "Use your account at your company."}
      </p>
      {passwords && (
        <Form method="post" action={`/login?${parameters}`} className="grid gap-5" noValidate>
          <Field field={fields.email} label="Email" type="email" autoComplete="username" spellCheck={false} />
          <Field field={fields.password} label="Password" type="password" autoComplete="current-password" />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <button className="btn btn-primary px-6" type="submit">
              Sign in
            </button>
            <Link className="inline-flex min-h-10 items-center font-medium" to="/forgot">
              Forgot password?
            </Link>
          </div>
        </Form>
      )}
      <OtherWays ways={others} isAlone={!passwords} />
    </>
  );
}

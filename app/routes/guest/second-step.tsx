import { useForm } from "@conform-to/react";
import { Form, Link, redirect, useSearchParams } from "react-router";
import type { z } from "zod";
import { confirmSignIn } from "#provider/contract/second-factors.ts";
import { ErrorSummary, summaryOf } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { providerWithToken } from "../../server/provider/context.ts";
import { getSession } from "../../server/sessions/session.ts";
import { signBrowserIn } from "../../server/sessions/sign-in.ts";
import type { Route } from "./+types/second-step";

/** The second step of a sign-in, after the right password. */

export const headers = actionHeaders;

/** The token of the second step; leads to the first one without it. */
function requireToken({ context, url }: Pick<Route.LoaderArgs, "context" | "url">) {
  const token = getSession(context).get("factor");
  if (!token) throw redirect(`/login?${url.searchParams}`);
  return token;
}

export function loader(from: Route.LoaderArgs) {
  requireToken(from);
  return null;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const token = requireToken({ context, url });
  return handleForm(await readForm(request, confirmSignIn.body), {
    schema: confirmSignIn.body,
    secrets: ["code"],
    async save(body) {
      const opened = await providerWithToken({ request, context }, token).confirmSignIn({ body });
      const { recovery_codes: left } = opened;
      return signBrowserIn(context, url, opened, left === undefined ? "" : `. Recovery codes left: ${left}`);
    },
  });
}

export default function SecondStep({ actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<z.input<typeof confirmSignIn.body>>({ id: "second", lastResult: actionData });
  const [parameters] = useSearchParams();
  const errors = summaryOf(form.allErrors, (name) => `${form.id}-${name}`);
  const isRecovery = parameters.has("recovery");
  const [once, others] = [new URLSearchParams(parameters), new URLSearchParams(parameters)];
  once.delete("recovery");
  others.set("recovery", "");
  return (
    <>
      <PageTitle title="Sign in" hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>{isRecovery ? "Recovery code" : "One-time code"}</h1>
      <p className="lead mb-6">
        {isRecovery
          ? "Enter one of the recovery codes that you stored when you set up your second factor. Each works once."
          : "Enter the six digits that your authenticator app shows for Sealdesk."}
      </p>
      <Form method="post" action={`/login/second-factor?${parameters}`} className="grid gap-5" noValidate>
        {isRecovery ? (
          <Field field={fields.code} label="Recovery code" autoComplete="off" spellCheck={false} />
        ) : (
          <Field field={fields.code} label="One-time code" autoComplete="one-time-code" inputMode="numeric" autoFocus />
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <button className="btn btn-primary px-6" type="submit">
            Sign in
          </button>
          <Link className="inline-flex min-h-10 items-center font-medium" to={`/login?${once}`}>
            Back to email and password
          </Link>
        </div>
      </Form>
      <p className="mt-6">
        <Link className="inline-flex min-h-10 items-center font-medium" to={`?${isRecovery ? once : others}`}>
          {isRecovery ? "Use the authenticator app" : "Use a recovery code"}
        </Link>
      </p>
    </>
  );
}

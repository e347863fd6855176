import { useForm } from "@conform-to/react";
import { Form, Link, useSearchParams } from "react-router";
import type { z } from "zod";
import { prove } from "#provider/contract/second-factors.ts";
import { ErrorSummary, summaryOf } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { safeRedirectPath } from "../../server/request/safe-redirect.ts";
import { getUser } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { redirectFor } from "../../server/sessions/sign-in.ts";
import { hasPasskeys } from "../../server/sessions/passkeys.ts";
import { aboutForm } from "./about-form.ts";
import { passkeyErrors, UsePasskey } from "./passkey-form.tsx";
import type { Route } from "./+types/confirm";

/** Asks users to prove that they are present, before what they wanted to do. */

export const headers = actionHeaders;

export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const { email, must_set_up_second_factor: mustSetUp } = getUser(context);
  const [{ set_up_at }, passkeys = []] = await Promise.all([
    provider.getSecondFactor(),
    mustSetUp || !hasPasskeys() ? undefined : provider.listPasskeys(),
  ]);
  return { email, needsCode: set_up_at !== null, hasPasskey: passkeys.length > 0 };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return handleForm(await readForm(request, prove.body), {
    schema: prove.body,
    secrets: ["current_password", "code"],
    async save(body) {
      await getProvider(context).prove({ body });
      const path = safeRedirectPath(url.searchParams.get("next") ?? "/dashboard");
      const notice = "Confirmed for ten minutes: now go on";
      return redirectWithNotice(context, path, notice, { redirectBy: redirectFor(context) });
    },
  });
}

export default function Confirm({ loaderData: { email, needsCode, hasPasskey }, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<z.input<typeof prove.body>>({ id: "confirm", lastResult: actionData });
  const [parameters] = useSearchParams();
  const errors = [...summaryOf(form.allErrors, (name) => `${form.id}-${name}`), ...passkeyErrors(parameters)];
  return (
    <>
      <PageTitle title="Confirm that it is you" hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>Confirm that it is you</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">
        You signed in as {email} more than ten minutes ago. Show that it is still you, then go on.
        {aboutForm(parameters.get("form"))}
      </p>
      <Form method="post" action={`/confirm?${parameters}`} className="grid gap-5" noValidate>
        <input className="hidden" type="email" aria-label="Email" autoComplete="username" value={email} readOnly />
        <Field
          field={fields.current_password}
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
        {needsCode && (
          <Field
            field={fields.code}
            label="One-time code"
            hint="Of your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            spellCheck={false}
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <button className="btn btn-primary px-6" type="submit">
            Confirm
          </button>
          <Link className="inline-flex min-h-10 items-center font-medium" to={cancelPath(parameters)}>
            Cancel
          </Link>
        </div>
      </Form>
      {hasPasskey && <UsePasskey page="/confirm" parameters={parameters} />}
    </>
  );
}

/** The page that the user came from, without a dialog. */
const cancelPath = (parameters: URLSearchParams) =>
  safeRedirectPath(parameters.get("next"), "/dashboard").split("?")[0]!;

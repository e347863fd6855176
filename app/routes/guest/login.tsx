import { useForm } from "@conform-to/react";
import { Link, redirect, useSearchParams } from "react-router";
import type { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { login } from "#provider/contract/sessions.ts";
import { ErrorSummary, summaryOf } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getSession } from "../../server/sessions/session.ts";
import { signBrowserIn, toSecondStep } from "../../server/sessions/sign-in.ts";
import { hasPasskeys } from "../../server/sessions/passkeys.ts";
import { readWays } from "../../server/sessions/single-sign-on.ts";
import { aboutForm } from "./about-form.ts";
import { ButtonScript } from "./button-script.tsx";
import { passkeyErrors, UsePasskey } from "./passkey-form.tsx";
import type { Route } from "./+types/login";
import { OtherWays } from "./other-ways.tsx";

export const headers = actionHeaders;

export async function loader({ context, url }: Route.LoaderArgs) {
  const path = getSession(context).get("afterSignOut");
  if (path && path !== "/login") throw redirect(path);
  return { ...(await readWays(context, url)), hasPasskeys: hasPasskeys() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return handleForm(await readForm(request, login.body), {
    schema: login.body,
    secrets: ["password"],
    messageField: "email",
    async save(body) {
      const reply = await getProvider(context).login({ body });
      return "second_factor" in reply
        ? toSecondStep(context, url, reply.token)
        : signBrowserIn(context, url.searchParams.get("next"), reply);
    },
  });
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const { passwords, others, hasPasskeys } = loaderData;
  const [form, fields] = useForm<z.input<typeof login.body>>({ id: "login", lastResult: actionData });
  const [parameters] = useSearchParams();
  const errors = [...summaryOf(form.allErrors, (name) => `${form.id}-${name}`), ...passkeyErrors(parameters)];
  return (
    <>
      <PageTitle title={t("common.signIn")} hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>{t("common.signIn")}</h1>
      <p className="lead mb-6">
        {parameters.has("next")
          ? `${t("guest.login.signInToContinue")} ${aboutForm(parameters.get("form"))}`.trim()
          : passwords
            ? t("guest.login.useYourWorkEmail")
            : t("guest.login.useYourCompanysAccount")}
      </p>
      {passwords && (
        <Form method="post" action={`/login?${parameters}`} className="grid gap-5" noValidate>
          <Field
            field={fields.email}
            label={t("common.email")}
            type="email"
            autoComplete="username"
            spellCheck={false}
          />
          <Field field={fields.password} label={t("common.password")} type="password" autoComplete="current-password" />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <button className="btn btn-primary px-6" type="submit">
              {t("common.signIn")}
            </button>
            <Link className="inline-flex min-h-10 items-center font-medium" to="/forgot">
              {t("common.forgotPasswordQuestion")}
            </Link>
          </div>
          <ButtonScript />
        </Form>
      )}
      {hasPasskeys && passwords && <UsePasskey page="/login" parameters={parameters} />}
      <OtherWays ways={others} isAlone={!passwords} />
    </>
  );
}

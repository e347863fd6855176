import { useForm } from "@conform-to/react";
import { Link, redirect, useSearchParams } from "react-router";
import type { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { forgotPassword } from "#provider/contract/sessions.ts";
import { ErrorSummary, summaryOf } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { isLacking } from "../../server/provider/learned.ts";
import { readWays, type WayToSignIn } from "../../server/sessions/single-sign-on.ts";
import type { Route } from "./+types/forgot";
import { OtherWays } from "./other-ways.tsx";

export const headers = actionHeaders;

export const loader = async ({ context, url }: Route.LoaderArgs) => ({
  isOffered: !isLacking("forgotPassword"),
  ...(await readWays(context, url)),
});

export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(await readForm(request, forgotPassword.body), {
    schema: forgotPassword.body,
    async save(body) {
      await getProvider(context).forgotPassword({ body });
      return redirect("/forgot?sent");
    },
  });
}

export default function Forgot({ loaderData: { isOffered, passwords, others }, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<z.input<typeof forgotPassword.body>>({ id: "forgot", lastResult: actionData });
  const [parameters] = useSearchParams();
  const errors = summaryOf(form.allErrors, (name) => `${form.id}-${name}`);
  if (parameters.has("sent")) return <Sent />;
  if (!passwords) return <PasswordsOff ways={others} />;
  // Known once a visitor tried it in the last minutes.
  if (!isOffered) return <NotOffered />;
  return (
    <>
      <PageTitle title={t("common.forgotPassword")} hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>{t("common.forgotPasswordQuestion")}</h1>
      <p className="lead mb-6">{t("guest.forgot.lead")}</p>
      <Form method="post" action="/forgot" className="grid gap-5" noValidate>
        <Field field={fields.email} label={t("common.email")} type="email" autoComplete="username" spellCheck={false} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <button className="btn btn-primary px-6" type="submit">
            {t("guest.forgot.sendLink")}
          </button>
          <Link className="inline-flex min-h-10 items-center font-medium" to="/login">
            {t("common.backToSignIn")}
          </Link>
        </div>
      </Form>
    </>
  );
}

const PasswordsOff = ({ ways }: { ways: WayToSignIn[] }) => (
  <>
    <PageTitle title={t("common.forgotPassword")} />
    <h1>{t("common.forgotPasswordQuestion")}</h1>
    <p className="lead mb-6">{t("guest.forgot.passwordsAreSwitchedOff")}</p>
    <OtherWays ways={ways} isAlone />
  </>
);

function NotOffered() {
  return (
    <>
      <PageTitle title={t("common.forgotPassword")} />
      <h1>{t("common.forgotPasswordQuestion")}</h1>
      <p className="lead mb-6" role="alert">
        {t("guest.forgot.notOffered")}
      </p>
      <Link className="btn btn-primary" to="/login">
        {t("common.backToSignIn")}
      </Link>
    </>
  );
}

/** Says the same whether or not a user has that email, so that emails can't be probed. */
function Sent() {
  return (
    <>
      <PageTitle title={t("guest.forgot.checkYourEmail")} />
      <h1>{t("guest.forgot.checkYourEmail")}</h1>
      <p className="lead mb-6">{t("guest.forgot.linkOnItsWay")}</p>
      <p className="flex flex-wrap gap-3">
        <Link className="btn btn-primary" to="/login">
          {t("common.backToSignIn")}
        </Link>
        <Link className="btn btn-quiet" to="/forgot">
          {t("common.tryAgain")}
        </Link>
      </p>
    </>
  );
}

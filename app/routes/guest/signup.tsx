import { useForm } from "@conform-to/react";
import { data, Link, redirect, useSearchParams } from "react-router";
import type { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { foundingSignup, signup } from "#provider/contract/sessions.ts";
import { AccountInput } from "../../components/form/account-input.tsx";
import { ErrorSummary, summaryOf } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { passwordHint } from "../../components/record/record-fields.ts";
import { rememberBrowser } from "../../server/sessions/browser.ts";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { providerWithToken } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { nameAtLink } from "../../server/sessions/link-user.ts";
import type { Route } from "./+types/signup";
import { ButtonScript } from "./button-script.tsx";
import { LinkForAnother } from "./link-for-another.tsx";

const tokenOf = (url: URL) => url.searchParams.get("token") ?? undefined;

export const headers = actionHeaders;

/** The user that the link was sent to, if the provider says so. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  try {
    const provider = providerWithToken({ request, context }, tokenOf(url));
    return { link: await provider.signupLink(), message: "", user: await nameAtLink(context) };
  } catch (thrown) {
    // Passwords were switched off since.
    const off = asFailure(thrown, 409);
    if (off) return data({ link: undefined, message: off.message, user: undefined }, { status: 409 });
    const withoutName = async () => ({ link: undefined, message: "", user: await nameAtLink(context) });
    if (asFailure(thrown, 501)) return withoutName();
    const refused = asFailure(thrown, 401);
    if (!refused) throw thrown;
    // Providers without links, which have the form alone, refuse the request for its token.
    if (!(await hasLinks({ request, context }))) return withoutName();
    const message = t("guest.signup.linksEnd", { message: refused.message });
    return data({ link: undefined, message, user: undefined }, { status: 401 });
  }
}

/** Providers that have them answer another public call. */
const hasLinks = async (from: Pick<Route.LoaderArgs, "request" | "context">) =>
  (await providerWithToken(from, undefined)).health().then(
    () => true,
    () => false,
  );

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request, signup.body);
  return handleForm(form, {
    schema: form.has("company") ? foundingSignup : signup.body,
    secrets: ["password", "password_confirmation"],
    async save({ password, password_confirmation, ...founder }) {
      // The link names its user; only the first administrator is named by the form.
      const isFirst = Object.values(founder).some(Boolean);
      const body = { password, password_confirmation, ...(isFirst && founder) };
      const from = { request, context };
      const { token } = await providerWithToken(from, tokenOf(url)).signup({ body });
      // The user signs in with the new password next, so this session is not needed.
      await providerWithToken(from, token)
        .logout()
        .catch(() => {});
      rememberBrowser(context);
      return redirect("/congratulations");
    },
  });
}

export default function Signup({ loaderData: { link, message, user }, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<z.input<typeof signup.body>>({ id: "signup", lastResult: actionData });
  const [parameters] = useSearchParams();
  const errors = summaryOf(form.allErrors, (name) => `${form.id}-${name}`);
  if (message) return <DeadLink message={message} />;
  if (user) return <LinkForAnother name={link?.name || link?.email} user={user} />;
  const isFirst = link?.kind === "first";
  return (
    <>
      <PageTitle title={t("common.createPassword")} hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>{isFirst ? t("guest.signup.setUpSealdesk") : t("common.createPassword")}</h1>
      <p className="lead mb-6">
        {isFirst
          ? t("guest.signup.lead")
          : link?.email
            ? t("guest.signup.forNameEmail", { name: link.name, email: link.email, company: link.company })
            : t("guest.signup.choosePassword")}
      </p>
      <Form method="post" action={`/signup?${parameters}`} className="grid gap-5" noValidate>
        {isFirst ? (
          <>
            <Field field={fields.company} label={t("guest.signup.companysName")} autoComplete="organization" />
            <Field field={fields.name} label={t("guest.signup.yourName")} autoComplete="name" />
            <Field
              field={fields.email}
              label={t("guest.signup.yourEmail")}
              type="email"
              autoComplete="username"
              spellCheck={false}
            />
          </>
        ) : (
          <AccountInput email={link?.email} />
        )}
        <Field
          field={fields.password}
          label={t("common.password")}
          hint={passwordHint}
          type="password"
          autoComplete="new-password"
        />
        <Field
          field={fields.password_confirmation}
          label={t("common.confirmPassword")}
          type="password"
          autoComplete="new-password"
        />
        <div>
          <button className="btn btn-primary px-6" type="submit">
            {isFirst ? t("guest.signup.setUpSealdesk") : t("common.createPassword")}
          </button>
        </div>
        <ButtonScript />
      </Form>
    </>
  );
}

function DeadLink({ message }: { message: string }) {
  return (
    <>
      <PageTitle title={t("common.linkNotValid")} />
      <h1>{t("common.linkNotValid")}</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">{message}</p>
      <p className="flex flex-wrap gap-3">
        <Link className="btn btn-primary" to="/forgot">
          {t("guest.signup.askForANewLink")}
        </Link>
        <Link className="btn btn-quiet" to="/login">
          {t("common.signIn")}
        </Link>
      </p>
    </>
  );
}

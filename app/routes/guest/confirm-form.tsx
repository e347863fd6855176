import { type SubmissionResult, useForm } from "@conform-to/react";
import { Link, useSearchParams } from "react-router";
import type { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { prove } from "#provider/contract/second-factors.ts";
import { AccountInput } from "../../components/form/account-input.tsx";
import { ErrorSummary, summaryOf } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { aboutForm } from "./about-form.ts";
import { ButtonScript } from "./button-script.tsx";
import { passkeyErrors, UsePasskey } from "./passkey-form.tsx";

type ConfirmFormProps = {
  email: string;
  /** Whether the user has a password, an authenticator app, and a passkey. */
  hasPassword: boolean;
  needsCode: boolean;
  hasPasskey: boolean;
  cancelPath: string;
  reply: SubmissionResult | undefined;
};

/** Asks for what the user signs in with. */
export function ConfirmForm({ email, hasPassword, hasPasskey, needsCode, cancelPath, reply }: ConfirmFormProps) {
  const [form, fields] = useForm<z.input<typeof prove.body>>({ id: "confirm", lastResult: reply });
  const [parameters] = useSearchParams();
  const errors = [...summaryOf(form.allErrors, (name) => `${form.id}-${name}`), ...passkeyErrors(parameters)];
  return (
    <>
      <PageTitle title={t("guest.confirmForm.confirmThatItIsYou")} hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>{t("guest.confirmForm.confirmThatItIsYou")}</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">
        {hasPassword
          ? t("guest.confirmForm.signedInLongAgo", { email })
          : t("guest.confirmForm.signedInLongAgoWithoutPassword", { email })}{" "}
        {aboutForm(parameters.get("form"))}
      </p>
      {hasPassword ? (
        <Form method="post" action={`/confirm?${parameters}`} className="grid gap-5" noValidate>
          <AccountInput email={email} />
          <Field
            field={fields.current_password}
            label={t("common.password")}
            type="password"
            autoComplete="current-password"
            autoFocus
          />
          {needsCode && (
            <Field
              field={fields.code}
              label={t("common.oneTimeCode")}
              hint={t("guest.confirmForm.whichCode")}
              autoComplete="one-time-code"
              spellCheck={false}
            />
          )}
          <Acts label={t("common.confirm")} cancelPath={cancelPath} />
          <ButtonScript />
        </Form>
      ) : (
        <Form method="post" action={`/logout?${parameters}`}>
          <Acts label={t("common.signOut")} cancelPath={cancelPath} />
        </Form>
      )}
      {hasPasskey && <UsePasskey page="/confirm" parameters={parameters} />}
    </>
  );
}

const Acts = ({ label, cancelPath }: { label: string; cancelPath: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <button className="btn btn-primary px-6" type="submit">
      {label}
    </button>
    <Link className="inline-flex min-h-10 items-center font-medium" to={cancelPath}>
      {t("common.cancel")}
    </Link>
  </div>
);

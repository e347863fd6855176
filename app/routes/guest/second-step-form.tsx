import { type SubmissionResult, useForm } from "@conform-to/react";
import { Link, useSearchParams } from "react-router";
import type { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { confirmSignIn } from "#provider/contract/second-factors.ts";
import { ErrorSummary, summaryOf } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";

/** Takes a one-time code or, at `?recovery`, a recovery code. */
export function SecondStepForm({ reply }: { reply: SubmissionResult | undefined }) {
  const [form, fields] = useForm<z.input<typeof confirmSignIn.body>>({ id: "second", lastResult: reply });
  const [parameters] = useSearchParams();
  const errors = summaryOf(form.allErrors, (name) => `${form.id}-${name}`);
  const isRecovery = parameters.has("recovery");
  const [once, others] = [new URLSearchParams(parameters), new URLSearchParams(parameters)];
  once.delete("recovery");
  others.set("recovery", "");
  return (
    <>
      <PageTitle title={t("common.signIn")} hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <h1>{isRecovery ? t("guest.secondStepForm.recoveryCode") : t("common.oneTimeCode")}</h1>
      <p className="lead mb-6">
        {isRecovery ? t("guest.secondStepForm.enterARecoveryCode") : t("guest.secondStepForm.enterTheDigits")}
      </p>
      <Form method="post" action={`/login/second-factor?${parameters}`} className="grid gap-5" noValidate>
        {isRecovery ? (
          <Field
            field={fields.code}
            label={t("guest.secondStepForm.recoveryCode")}
            autoComplete="off"
            spellCheck={false}
          />
        ) : (
          <Field
            field={fields.code}
            label={t("common.oneTimeCode")}
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <button className="btn btn-primary px-6" type="submit">
            {t("common.signIn")}
          </button>
          <Link className="inline-flex min-h-10 items-center font-medium" to={`/login?${once}`}>
            {t("guest.secondStepForm.backToEmailAndPassword")}
          </Link>
        </div>
      </Form>
      <p className="mt-6">
        <Link className="inline-flex min-h-10 items-center font-medium" to={`?${isRecovery ? once : others}`}>
          {isRecovery ? t("guest.secondStepForm.useTheAuthenticatorApp") : t("guest.secondStepForm.useARecoveryCode")}
        </Link>
      </p>
    </>
  );
}

import { type SubmissionResult, useForm } from "@conform-to/react";
import { Form, Link, useSearchParams } from "react-router";
import type { z } from "zod";
import type { confirmSignIn } from "#provider/contract/second-factors.ts";
import { ErrorSummary, summaryOf } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { PageTitle } from "../../components/page-title.tsx";

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

import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { AccountInput } from "../../components/form/account-input.tsx";
import { CloseLink, Dialog, useServedFocus } from "../../components/dialog/dialog.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { formState } from "../../components/form/form-state.ts";
import { passwordHint } from "../../components/record/record-fields.ts";

type PasswordDialogProps = { email: string; reply: SubmissionResult | undefined; closeTo: string };

/** Changes the user's own password. */
export default function PasswordDialog({ email, reply, closeTo }: PasswordDialogProps) {
  const hasFocus = useServedFocus();
  const { field, summary } = formState({}, reply);
  return (
    <Dialog
      title={t("common.changePassword")}
      lead={<p>{t("signed-in.passwordDialog.otherSessionsEnd")}</p>}
      closeTo={closeTo}
    >
      <div className="mt-4">
        <ErrorSummary errors={summary} />
      </div>
      <Form method="post" className="mt-4 grid gap-4" noValidate>
        <AccountInput email={email} />
        <Field
          field={field("old_password")}
          label={t("signed-in.passwordDialog.oldPassword")}
          type="password"
          autoComplete="current-password"
          autoFocus={hasFocus}
        />
        <Field
          field={field("password")}
          label={t("signed-in.passwordDialog.newPassword")}
          hint={passwordHint}
          type="password"
          autoComplete="new-password"
        />
        <Field
          field={field("password_confirmation")}
          label={t("common.confirmPassword")}
          type="password"
          autoComplete="new-password"
        />
        <div className="modal-foot !mt-2">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value="password">
            {t("common.confirm")}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

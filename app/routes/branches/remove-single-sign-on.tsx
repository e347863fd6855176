import type { SubmissionResult } from "@conform-to/react";
import { Form } from "react-router";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog.tsx";
import { formState } from "../../components/form-state.ts";

/** Asks before the company's identity provider is removed. */
export function RemoveSingleSignOn({ reply, closeTo }: { reply: SubmissionResult | undefined; closeTo: string }) {
  const { summary } = formState({}, reply);
  return (
    <Dialog
      title="Remove single sign-on?"
      lead={
        <p>
          Your users sign in by passwords again. Those who have none set one by “Forgot password?” on the sign-in page.
        </p>
      }
      closeTo={closeTo}
    >
      <div className="mt-4">
        <DialogProblems errors={summary.filter(({ fieldId }) => !fieldId)} />
      </div>
      <Form method="post" className="grid gap-4" noValidate>
        <div className="modal-foot !mt-2">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-error" name="intent" value="remove-identity-provider">
            Remove single sign-on
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

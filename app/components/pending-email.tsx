import { Mail } from "lucide-react";
import { Form } from "react-router";

/** The buttons' intents. */
export const pendingEmailIntents = { again: "email-again", cancel: "email-cancel" };

/** An email address that is not confirmed yet. `rest` says what holds until then. */
export function PendingEmail({ email, rest }: { email: string; rest: string }) {
  return (
    <section className="notice is-warn mb-4" aria-label="New email">
      <Mail className="ico" />
      <div className="min-w-0">
        <p>{email} is not confirmed yet</p>
        <p className="font-normal">The link in the mail sent there is valid for 24 hours. {rest}</p>
        <Form method="post" className="mt-3 flex flex-wrap gap-2" preventScrollReset defaultShouldRevalidate>
          <button type="submit" className="btn btn-quiet" name="intent" value={pendingEmailIntents.again}>
            Send again
          </button>
          <button type="submit" className="btn btn-quiet" name="intent" value={pendingEmailIntents.cancel}>
            Cancel
            <span className="sr-only"> the change of email</span>
          </button>
        </Form>
      </div>
    </section>
  );
}

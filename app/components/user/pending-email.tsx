import { Mail } from "lucide-react";
import { t, tRich } from "#lib/messages/staff.ts";
import { Form } from "../form/form.tsx";
import { hidden } from "../text/message-elements.tsx";

/** The buttons' intents. */
export const pendingEmailIntents = { again: "email-again", cancel: "email-cancel" };

/** An email address that is not confirmed yet. `rest` says what holds until then. */
export function PendingEmail({ email, rest }: { email: string; rest: string }) {
  return (
    <section className="notice is-warn mb-4" aria-label={t("components.pendingEmail.newEmail")}>
      <Mail className="ico" />
      <div className="min-w-0">
        <p>{t("components.pendingEmail.isNotConfirmed", { email })}</p>
        <p className="font-normal">
          {t("components.pendingEmail.validForADay")} {rest}
        </p>
        <Form method="post" className="mt-3 flex flex-wrap gap-2" preventScrollReset>
          <button type="submit" className="btn btn-quiet" name="intent" value={pendingEmailIntents.again}>
            {t("common.sendAgain")}
          </button>
          <button type="submit" className="btn btn-quiet" name="intent" value={pendingEmailIntents.cancel}>
            {tRich("components.pendingEmail.cancel", { hidden })}
          </button>
        </Form>
      </div>
    </section>
  );
}

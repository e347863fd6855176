import type { SubmissionResult } from "@conform-to/react";
import { say } from "#messages/staff.ts";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { showCount } from "../../components/format.ts";
import { formState } from "../../components/form-state.ts";

type WebhookDialogsProps = { webhook: Webhook; reply: SubmissionResult | undefined };

/** The dialog of a webhook's page that is open. */
export function WebhookDialogs({ webhook, reply }: WebhookDialogsProps) {
  const { open, closeTo } = useDialog();
  const { field } = formState({}, reply);
  if (open === "rotate") {
    return (
      <FormDialog
        title={say("webhooks.webhookDialogs.makeNewKeys")}
        intent="rotate"
        confirm={say("webhooks.webhookDialogs.makeNewKeys2")}
        reply={reply}
        closeTo={closeTo}
      >
        <p>{say("webhooks.webhookDialogs.deliveriesAreSignedWith")}</p>
        <CheckboxField
          field={field("at_once")}
          label={say("webhooks.webhookDialogs.endTheEarlierKeys")}
          hint={say("webhooks.webhookDialogs.ifSomebodyElseMay")}
        />
      </FormDialog>
    );
  }
  if (open === "replay" && webhook.enabled && webhook.failed > 0) {
    return (
      <FormDialog
        title={say("webhooks.webhookDialogs.sendAgain")}
        intent="replay"
        confirm={say("common.sendAgain")}
        reply={reply}
        closeTo={closeTo}
      >
        <p>
          {showCount(webhook.failed, "delivery was", "deliveries were")} given up. Each is sent under its own id, which
          your program may have seen.
        </p>
        <Field
          field={field("since")}
          label={say("webhooks.webhookDialogs.ofWhatHappenedSince")}
          hint={say("webhooks.webhookDialogs.emptyForAll")}
          isDate
          inputMode="numeric"
          placeholder="DD-MM-YYYY"
        />
      </FormDialog>
    );
  }
  if (open === "disable" && webhook.enabled) {
    return (
      <ConfirmDialog
        title={say("webhooks.webhookDialogs.switchOffName", { name: webhook.name })}
        confirm={say("webhooks.webhookDialogs.switchOff")}
        intent="disable"
        closeTo={closeTo}
      >
        <p>{say("webhooks.webhookDialogs.whatHappensWhileIt")}</p>
      </ConfirmDialog>
    );
  }
  return null;
}

import type { SubmissionResult } from "@conform-to/react";
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
      <FormDialog title="Make new keys?" intent="rotate" confirm="Make new keys" reply={reply} closeTo={closeTo}>
        <p>
          Deliveries are signed with the earlier keys as well for a day, so that you can change your program meanwhile.
        </p>
        <CheckboxField
          field={field("at_once")}
          label="End the earlier keys at once"
          hint="If somebody else may have the secret"
        />
      </FormDialog>
    );
  }
  if (open === "replay" && webhook.enabled && webhook.failed > 0) {
    return (
      <FormDialog title="Send again?" intent="replay" confirm="Send again" reply={reply} closeTo={closeTo}>
        <p>
          {showCount(webhook.failed, "delivery was", "deliveries were")} given up. Each is sent under its own id, which
          your program may have seen.
        </p>
        <Field
          field={field("since")}
          label="Of what happened since"
          hint="Empty for all"
          isDate
          inputMode="numeric"
          placeholder="DD-MM-YYYY"
        />
      </FormDialog>
    );
  }
  if (open === "disable" && webhook.enabled) {
    return (
      <ConfirmDialog title={`Switch off ${webhook.name}?`} confirm="Switch off" intent="disable" closeTo={closeTo}>
        <p>What happens while it is off is not noted for it. What waits is sent when it is switched on again.</p>
      </ConfirmDialog>
    );
  }
  return null;
}

import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { CheckboxField } from "../../components/form/checkbox-field.tsx";
import { ConfirmDialog } from "../../components/dialog/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { Field } from "../../components/form/field.tsx";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import { formState } from "../../components/form/form-state.ts";

type WebhookDialogsProps = { webhook: Webhook; reply: SubmissionResult | undefined };

/** The dialog of a webhook's page that is open. */
export function WebhookDialogs({ webhook, reply }: WebhookDialogsProps) {
  const { open, closeTo } = useDialog();
  const { field } = formState({}, reply);
  if (open === "rotate") {
    return (
      <FormDialog
        title={t("webhooks.webhookDialogs.makeNewKeysTitle")}
        intent="rotate"
        confirm={t("webhooks.webhookActs.makeNewKeys")}
        reply={reply}
        closeTo={closeTo}
      >
        <p>{t("webhooks.webhookDialogs.makeNewKeysEffect")}</p>
        <CheckboxField
          field={field("at_once")}
          label={t("webhooks.webhookDialogs.endEarlierKeys")}
          hint={t("webhooks.webhookDialogs.endEarlierKeysHint")}
        />
      </FormDialog>
    );
  }
  if (open === "replay" && webhook.enabled && webhook.failed > 0) {
    return (
      <FormDialog
        title={t("webhooks.webhookDialogs.sendAgainTitle")}
        intent="replay"
        confirm={t("common.sendAgain")}
        reply={reply}
        closeTo={closeTo}
      >
        <p>{t("webhooks.webhookDialogs.givenUp", { count: webhook.failed })}</p>
        <Field
          field={field("since")}
          label={t("webhooks.webhookDialogs.ofWhatHappenedSince")}
          hint={t("webhooks.webhookDialogs.emptyForAll")}
          isDate
          inputMode="numeric"
          placeholder={t("common.dayMonthYear")}
        />
      </FormDialog>
    );
  }
  if (open === "disable" && webhook.enabled) {
    return (
      <ConfirmDialog
        title={t("webhooks.webhookDialogs.switchOffName", { name: webhook.name })}
        confirm={t("webhooks.webhookActs.switchOff")}
        intent="disable"
        closeTo={closeTo}
      >
        <p>{t("webhooks.webhookDialogs.switchOffEffect")}</p>
      </ConfirmDialog>
    );
  }
  return null;
}

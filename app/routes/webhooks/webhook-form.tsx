import { t } from "#lib/messages/staff.ts";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { ConfirmDialog } from "../../components/dialog/confirm-dialog.tsx";
import { DefaultSubmit } from "../../components/form/default-submit.tsx";
import { formId, useFormDialog } from "../../components/dialog/dialog-button.tsx";
import { Field } from "../../components/form/field.tsx";
import { FormFoot } from "../../components/form/form-foot.tsx";
import type { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { EventBoxes } from "./event-boxes.tsx";

type WebhookFormProps = {
  /** Undefined for a new one. */
  webhook: Webhook | undefined;
  form: ReturnType<typeof formState>;
  /** The events that are ticked. */
  chosen: string[];
};

/** A webhook's name, address and events. */
export function WebhookForm({ webhook, form, chosen }: WebhookFormProps) {
  const { field, isReply, version } = form;
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  return (
    <>
      <Form method="post" id={formId} data-unsaved={isReply ? "" : undefined} className="panel" noValidate>
        <DefaultSubmit value="save" />
        {webhook && <input type="hidden" name="version" value={version} />}
        <section className="form-section" aria-labelledby="receiver">
          <h2 id="receiver">{t("webhooks.webhookForm.receiver")}</h2>
          <div className="form-grid">
            <Field field={field("name")} label={t("common.name")} maxLength={100} isRequired />
            <Field
              field={field("url")}
              label={t("common.address")}
              hint={t("webhooks.webhookForm.addressHint", { address: "https://…" })}
              inputMode="url"
              spellCheck={false}
              maxLength={500}
              isRequired
            />
          </div>
        </section>
        <EventBoxes field={field("events")} chosen={chosen} />
        <FormFoot
          submitLabel={webhook ? t("common.saveChanges") : t("common.addWebhook")}
          cancelTo={webhook ? `/webhooks/${webhook.id}` : "/webhooks"}
          removal={webhook && t("webhooks.webhookForm.removeWebhook")}
        />
      </Form>
      {webhook && isOpen && (
        <ConfirmDialog
          title={t("common.removeName", { name: webhook.name })}
          confirm={t("webhooks.webhookForm.removeWebhook")}
          intent="remove"
          isDanger
          closeTo={closeTo}
          name="remove"
          cancelForm={cancelForm}
        >
          <p>{t("webhooks.webhookForm.effectOfRemoving")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

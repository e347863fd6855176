import { Form } from "react-router";
import { z } from "zod";
import { createWebhook, updateWebhook } from "#provider/contract/webhooks.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DefaultSubmit } from "../../components/default-submit.tsx";
import { formId, useFormDialog } from "../../components/dialog-button.tsx";
import { Field } from "../../components/field.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { formState, type Values } from "../../components/form-state.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { EventBoxes } from "./event-boxes.tsx";
import { requireWebhooks } from "./require-webhooks.server.ts";

/** Adds a webhook, or changes and removes the one in the address. */

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  requireWebhooks(context);
  return { webhook: id ? await getProvider(context).getWebhook({ params: { id } }) : undefined };
}

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  requireWebhooks(context);
  const form = await readForm(request, updateWebhook.body);
  const provider = getProvider(context);
  if (!id) {
    return handleForm(form, {
      schema: createWebhook.body,
      async save(body) {
        const { id, secret } = await provider.createWebhook({ body });
        const handed = { name: body.name, link: secret };
        return redirectWithNotice(context, `/webhooks/${id}`, `“${body.name}” was added`, { handed });
      },
    });
  }
  const params = { id };
  if (form.get("intent") === "remove") {
    return handleForm(form, {
      schema: z.object({}),
      async save() {
        const { name } = await provider.getWebhook({ params });
        await provider.removeWebhook({ params });
        return redirectWithNotice(context, "/webhooks", `“${name}” was removed`);
      },
    });
  }
  return handleForm(form, {
    schema: updateWebhook.body,
    async save(body) {
      const { name } = await provider.updateWebhook({ params, body });
      return redirectWithNotice(context, `/webhooks/${id}`, `“${name}”: changes saved`);
    },
  });
}

export default function WebhookForm({ loaderData: { webhook }, actionData }: Route.ComponentProps) {
  const saved: Values = webhook ? { name: webhook.name, url: webhook.url, version: String(webhook.version) } : {};
  const form = formState(saved, actionData);
  const { field, isReply, version, isStale, summary } = form;
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  const sent = [actionData?.initialValue?.events ?? []].flat().map(String);
  const stale = { fieldId: "name", message: `${field("version").errors?.[0]}. Check it, then save again` };
  return (
    <FormPage
      title={webhook ? "Edit webhook" : "Add webhook"}
      errors={isStale ? [stale] : summary}
      back={{ to: "/webhooks", label: "Back to the webhooks" }}
      record={webhook && { to: `/webhooks/${webhook.id}`, name: webhook.name }}
    >
      <Form
        method="post"
        id={formId}
        data-unsaved={isReply ? "" : undefined}
        className="panel"
        noValidate
        defaultShouldRevalidate
      >
        <DefaultSubmit value="save" />
        {webhook && <input type="hidden" name="version" value={version} />}
        <section className="form-section" aria-labelledby="receiver">
          <h2 id="receiver">Receiver</h2>
          <div className="form-grid">
            <Field field={field("name")} label="Name" maxLength={100} isRequired />
            <Field
              field={field("url")}
              label="Address"
              hint="https://… on the public internet, to which each event is posted"
              inputMode="url"
              spellCheck={false}
              maxLength={500}
              isRequired
            />
          </div>
        </section>
        <EventBoxes field={field("events")} chosen={isReply ? sent : (webhook?.events ?? [])} />
        <FormFoot
          submitLabel={webhook ? "Save changes" : "Add webhook"}
          cancelTo={webhook ? `/webhooks/${webhook.id}` : "/webhooks"}
          removal={webhook && "Remove webhook"}
        />
      </Form>
      {webhook && isOpen && (
        <ConfirmDialog
          title={`Remove ${webhook.name}?`}
          confirm="Remove webhook"
          intent="remove"
          isDanger
          closeTo={closeTo}
          cancelForm={cancelForm}
        >
          <p>Its deliveries and its keys go too; what waits is not sent any more.</p>
        </ConfirmDialog>
      )}
    </FormPage>
  );
}

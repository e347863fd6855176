import { t } from "#lib/messages/staff.ts";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState, type Values } from "../../components/form/form-state.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/form";
import { requireWebhooks } from "./require-webhooks.server.ts";
import { saveWebhook } from "./save-webhook.server.ts";
import { WebhookForm } from "./webhook-form.tsx";

/** Adds a webhook, or changes and removes the one in the address. */

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  requireWebhooks(context);
  return { webhook: id ? await getProvider(context).getWebhook({ params: { id } }) : undefined };
}

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  requireWebhooks(context);
  return saveWebhook(context, request, id);
}

export default function WebhookPage({ loaderData: { webhook }, actionData }: Route.ComponentProps) {
  const saved: Values = webhook ? { name: webhook.name, url: webhook.url, version: String(webhook.version) } : {};
  const form = formState(saved, actionData);
  const events = [actionData?.initialValue?.events ?? []].flat().map(String);
  const stale = t("common.checkThenSaveAgain", { problem: form.field("version").errors?.[0] ?? "" });
  return (
    <FormPage
      title={webhook ? t("webhooks.form.editWebhook") : t("common.addWebhook")}
      errors={form.isStale ? [{ fieldId: "name", message: stale }] : form.summary}
      back={{ to: "/webhooks", label: t("webhooks.list.backToTheWebhooks") }}
      record={webhook && { to: `/webhooks/${webhook.id}`, name: webhook.name }}
    >
      <WebhookForm
        key={webhook?.id}
        webhook={webhook}
        form={form}
        chosen={form.isReply ? events : (webhook?.events ?? [])}
      />
    </FormPage>
  );
}

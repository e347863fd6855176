import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { replayFailedDeliveries, rotateWebhookKey } from "#provider/contract/webhooks.ts";
import { type Fields, handleForm, unreadableForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { withSecret } from "./secret.server.ts";

/** What the buttons and dialogs of a webhook's page send. */
export async function changeWebhook(context: Context, params: { id: string }, form: Fields) {
  const provider = getProvider(context);
  const leave = (notice: string, more = {}) => redirectWithNotice(context, `/webhooks/${params.id}`, notice, more);
  const nothing = z.object({});
  switch (form.get("intent")) {
    case "test":
      return handleForm(form, {
        schema: nothing,
        async save() {
          await provider.testWebhook({ params });
          return leave(t("webhooks.changeWebhook.testEventSent"));
        },
      });
    case "enable":
      return handleForm(form, {
        schema: nothing,
        async save() {
          await provider.enableWebhook({ params });
          return leave(t("webhooks.changeWebhook.theWebhookIsOn"));
        },
      });
    case "disable":
      return handleForm(form, {
        schema: nothing,
        async save() {
          await provider.disableWebhook({ params });
          return leave(t("webhooks.changeWebhook.theWebhookIsOff"));
        },
      });
    case "rotate":
      return handleForm(form, {
        schema: rotateWebhookKey.body,
        async save(body) {
          const { secret } = await provider.rotateWebhookKey({ params, body });
          const { name } = await provider.getWebhook({ params });
          return leave(t("webhooks.changeWebhook.newKeysWereMade"), withSecret(name, secret));
        },
      });
    case "replay":
      return handleForm(form, {
        schema: replayFailedDeliveries.body,
        async save(body) {
          const { count } = await provider.replayFailedDeliveries({ params, body });
          return leave(
            count > 0
              ? t("webhooks.changeWebhook.sentAgain", { count })
              : t("webhooks.changeWebhook.nothingWasGivenUp"),
          );
        },
      });
    default:
      throw unreadableForm();
  }
}

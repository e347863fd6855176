import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { createWebhook, updateWebhook } from "#provider/contract/webhooks.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { withSecret } from "./secret.server.ts";

/** Adds a webhook by the form that was sent, or changes or removes the one with an id. */
export async function saveWebhook(context: Context, request: Request, id: string | undefined) {
  const form = await readForm(request, updateWebhook.body);
  const provider = getProvider(context);
  const leave = (path: string, notice: string, extras = {}) => redirectWithNotice(context, path, notice, extras);
  if (!id) {
    return handleForm(form, {
      schema: createWebhook.body,
      async save(body) {
        const { id, secret } = await provider.createWebhook({ body });
        return leave(`/webhooks/${id}`, t("common.quotedWasAdded", { name: body.name }), withSecret(body.name, secret));
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
        return leave("/webhooks", t("common.quotedWasRemoved", { name }));
      },
    });
  }
  return handleForm(form, {
    schema: updateWebhook.body,
    async save(body) {
      const { name } = await provider.updateWebhook({ params, body });
      return leave(`/webhooks/${id}`, t("common.quotedChangesSaved", { name }));
    },
  });
}

import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { setIdentityProvider } from "#provider/contract/single-sign-on.ts";
import { type Fields, handleForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";

/** What the page of single sign-on sends. */
export const singleSignOnForms = [setIdentityProvider.body] as const;

/** Changes the company's identity provider, if a form about it was sent. */
export function changeSingleSignOn(context: Context, form: Fields) {
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/settings/single-sign-on", notice);
  const intent = form.get("intent");
  if (intent === "set-identity-provider") {
    return handleForm(form, {
      schema: setIdentityProvider.body,
      secrets: ["client_secret"],
      async save(body) {
        await provider.setIdentityProvider({ body });
        return leave(t("settings.singleSignOn.changesSaved"));
      },
    });
  }
  if (intent === "remove-identity-provider") {
    return handleForm(form, {
      schema: z.object({}),
      async save() {
        await provider.removeIdentityProvider();
        return leave(t("settings.singleSignOn.wasRemoved"));
      },
    });
  }
  return undefined;
}

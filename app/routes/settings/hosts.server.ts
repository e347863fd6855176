import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { idOf } from "#provider/contract/fields.ts";
import { requestHost } from "#provider/contract/hosts.ts";
import { type Fields, handleForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { redirectWithNotice, redirectWithRefusal } from "../../server/sessions/session.ts";

const ofHost = z.object({ id: idOf(t("settings.hosts.chooseOne")) });

/** What the page of hosts and its dialog send. */
export const hostForms = [requestHost.body, ofHost] as const;

/** Requests, checks or removes a host of the company, if a form about it was sent. */
export function changeHosts(context: Context, form: Fields) {
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/settings/hosts", notice);
  switch (form.get("intent")) {
    case "request-host":
      return handleForm(form, {
        schema: requestHost.body,
        async save(body) {
          const { host } = await provider.requestHost({ body });
          return leave(t("settings.hosts.wasRequested", { host }));
        },
      });
    case "check-host":
      return handleForm(form, {
        schema: ofHost,
        async save({ id }) {
          const { host, problem } = await provider.checkHost({ params: { id: String(id) } });
          if (problem === "") return leave(t("settings.hosts.wasConfirmed", { host }));
          return redirectWithRefusal(context, "/settings/hosts", t("settings.hosts.notFound", { host }));
        },
      });
    case "remove-host":
      return handleForm(form, {
        schema: ofHost,
        async save({ id }) {
          await provider.removeHost({ params: { id: String(id) } });
          return leave(t("settings.hosts.wasRemoved"));
        },
      });
    default:
      return undefined;
  }
}

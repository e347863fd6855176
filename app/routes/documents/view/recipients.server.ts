import { z } from "zod";
import { languages } from "#lib/messages/languages.ts";
import { staffNameOf } from "#lib/messages/language-names.ts";
import { t } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { newRecipient } from "#provider/contract/recipients.ts";
import { idOf } from "#provider/contract/fields.ts";
import { showInstant } from "../../../components/text/format.ts";
import { type Fields, handleForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { orUndefinedIfLacking } from "../../../server/provider/failure.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getOffers, getUser, timeZoneOf } from "../../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";

/** Whom a document was sent to; undefined if its company sends none. */
export async function readRecipients(context: Context, { id, validity }: Document) {
  if (!getOffers(context).recipients) return undefined;
  const provider = getProvider(context);
  const [settings, rows] = await Promise.all([
    orUndefinedIfLacking(provider.getRecipientSettings()),
    orUndefinedIfLacking(provider.listRecipients({ params: { id: String(id) } })),
  ]);
  if (!settings || !rows || (!settings.delivers && rows.length === 0)) return undefined;
  const timeZone = timeZoneOf(getUser(context));
  const at = (instant: string) => instant && showInstant(instant, timeZone);
  return {
    isSendable: settings.delivers && validity === "in force",
    languages: languages.map((value) => ({ value, label: staffNameOf(value) })),
    rows: rows.map((row) => ({
      ...row,
      sent_at: at(row.sent_at),
      opened_at: at(row.opened_at),
      downloaded_at: at(row.downloaded_at),
      bounced_at: at(row.bounced_at),
      ended_at: at(row.ended_at),
    })),
  };
}

export type Recipients = NonNullable<Awaited<ReturnType<typeof readRecipients>>>;

export const sendForm = newRecipient;
export const recipientForm = z.object({ recipient: idOf(t("documents.recipients.chooseARecipient")) });

/** Sends a document, reminds a recipient, or ends their link; undefined for another form. */
export function performOnRecipient(form: Fields, context: Context, id: string) {
  const intent = form.get("intent");
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, `/documents/${id}`, notice);
  if (intent === "send") {
    return handleForm(form, {
      schema: sendForm,
      async save(body) {
        const { name } = await provider.sendDocument({ params: { id }, body });
        return leave(t("documents.recipients.isBeingSent", { name }));
      },
    });
  }
  if (intent !== "remind-recipient" && intent !== "end-recipient") return undefined;
  return handleForm(form, {
    schema: recipientForm,
    async save({ recipient: n }) {
      const params = { id, n };
      if (intent === "end-recipient") {
        const { name } = await provider.endRecipient({ params });
        return leave(t("documents.recipients.linkWasEnded", { name }));
      }
      const { name } = await provider.remindRecipient({ params });
      return leave(t("documents.recipients.isBeingReminded", { name }));
    },
  });
}

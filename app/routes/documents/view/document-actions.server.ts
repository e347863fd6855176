import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { showDate } from "../../../components/text/format.ts";
import { type Fields, replyUnchecked, handleForm, readForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import { performOnCopy, withdrawForm } from "./copies.server.ts";
import { beginNewVersion } from "../edit/new-version.server.ts";
import { performOnRecipient, recipientForm, sendForm } from "./recipients.server.ts";
import { exitForm, exitSchema } from "./withdrawal.server.ts";

type Changed = { name: string; number: string; expire_date: string };
type DocumentAction = {
  call: "archiveDocument" | "restoreDocument" | "reactivateDocument" | "prolongDocument";
  notice(changed: Changed): string;
};

/** Actions on the document by intent, with their call and notice. */
const documentActions: Record<string, DocumentAction> = {
  archive: { call: "archiveDocument", notice: (named) => t("documents.documentActions.wasArchived", named) },
  restore: { call: "restoreDocument", notice: (named) => t("documents.documentActions.wasRestored", named) },
  reactivate: { call: "reactivateDocument", notice: (named) => t("documents.documentActions.wasReactivated", named) },
  prolong: {
    call: "prolongDocument",
    notice: ({ expire_date, ...named }) =>
      t("documents.documentActions.wasProlonged", { ...named, date: showDate(expire_date) }),
  },
};

const noFields = z.object({});

/** Does what the pressed button says, then shows the document. */
export async function performAction(request: Request, context: Context, id: string) {
  const form = await readForm(request, withdrawForm, exitForm, sendForm, recipientForm);
  const onOther = performOnCopy(form, context, id) ?? performOnRecipient(form, context, id);
  if (onOther) return onOther;
  const intent = form.get("intent") ?? "";
  if (intent === "exit") return withdraw(form, context, id);
  if (intent === "new-version") return handleForm(form, { schema: noFields, save: () => beginNewVersion(context, id) });
  const action = Object.hasOwn(documentActions, intent) && documentActions[intent];
  if (!action) return replyUnchecked(form, noFields, { "": [t("documents.documentActions.chooseAnAction")] });
  return handleForm(form, {
    schema: noFields,
    async save() {
      const changed = await getProvider(context)[action.call]({ params: { id } });
      const waits = intent === "prolong" || intent === "reactivate" ? changed.awaiting_release : undefined;
      return redirectWithNotice(context, `/documents/${id}`, waits ? awaits(changed) : action.notice(changed));
    },
  });
}

/** The notice of a change that a rule of the company holds back. */
const awaits = ({ name, number }: Pick<Changed, "name" | "number">) =>
  t("documents.documentActions.awaitsRelease", { name, number });

async function withdraw(form: Fields, context: Context, id: string) {
  return handleForm(form, {
    schema: await exitSchema(context),
    async save(body: object) {
      const { name, number, status, awaiting_release } = await getProvider(context).exitDocument({
        params: { id },
        body,
      });
      const isHeld = status === "active" && awaiting_release;
      const notice = isHeld ? awaits({ name, number }) : t("documents.documentActions.wasWithdrawn", { name, number });
      return redirectWithNotice(context, `/documents/${id}`, notice);
    },
  });
}

import { z } from "zod";
import { say } from "#messages/staff.ts";
import { showDate } from "../../components/format.ts";
import { type Fields, replyUnchecked, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { performOnCopy, withdrawForm } from "./copies.server.ts";
import { beginNewVersion } from "./new-version.server.ts";
import { exitForm, exitSchema } from "./withdrawal.server.ts";

/** Actions on the document by intent, with their call and notice. */
const documentActions = {
  archive: { call: "archiveDocument", done: "was archived" },
  restore: { call: "restoreDocument", done: "was restored" },
  reactivate: { call: "reactivateDocument", done: "was reactivated" },
  prolong: { call: "prolongDocument", done: "was prolonged" },
} as const;

const noFields = z.object({});

/** Does what the pressed button says, then shows the document. */
export async function performAction(request: Request, context: Context, id: string) {
  const form = await readForm(request, withdrawForm, exitForm);
  const onCopy = performOnCopy(form, context, id);
  if (onCopy) return onCopy;
  const intent = form.get("intent") ?? "";
  if (intent === "exit") return withdraw(form, context, id);
  if (intent === "new-version") return handleForm(form, { schema: noFields, save: () => beginNewVersion(context, id) });
  const action = Object.hasOwn(documentActions, intent) && documentActions[intent as keyof typeof documentActions];
  if (!action) return replyUnchecked(form, noFields, { "": [say("documents.documentActions.chooseWhatToDo")] });
  return handleForm(form, {
    schema: noFields,
    async save() {
      const { name, number, expire_date } = await getProvider(context)[action.call]({ params: { id } });
      const until = intent === "prolong" ? ` until ${showDate(expire_date)}` : "";
      return redirectWithNotice(context, `/documents/${id}`, `${name} ${number} ${action.done}${until}`);
    },
  });
}

async function withdraw(form: Fields, context: Context, id: string) {
  return handleForm(form, {
    schema: await exitSchema(context),
    async save(body: object) {
      const { name, number } = await getProvider(context).exitDocument({ params: { id }, body });
      return redirectWithNotice(context, `/documents/${id}`, `${name} ${number} was withdrawn`);
    },
  });
}

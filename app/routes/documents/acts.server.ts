import { data, redirect, type RouterContextProvider } from "react-router";
import { readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { setNotice } from "../../server/sessions/session.ts";

/** The acts of a document's dialogs by name: the call, and what is said once it is done. */
const acts = {
  archive: { call: "archiveDocument", done: "moved to the archive" },
  restore: { call: "restoreDocument", done: "restored from the archive" },
  exit: { call: "exitDocument", done: "marked as exited" },
  reactivate: { call: "reactivateDocument", done: "active again" },
  prolong: { call: "prolongDocument", done: "prolonged" },
} as const;

/** Does what the pressed button says, and comes back to the document; a refusal is shown in the dialog. */
export async function performAct(request: Request, context: Readonly<RouterContextProvider>, id: string) {
  const form = await readForm(request);
  const name = form.get("intent") ?? "";
  const act = Object.hasOwn(acts, name) && acts[name as keyof typeof acts];
  if (!act) return data({ message: "Choose what to do with the document." }, { status: 422 });
  try {
    const { name } = await getProvider(context)[act.call]({ params: { id } });
    setNotice(context, `${name}: ${act.done}`);
    return redirect(`/documents/${id}`);
  } catch (thrown) {
    const refused = asFailure(thrown);
    if (!refused || refused.status === 404) throw thrown;
    return data({ message: refused.message }, { status: refused.status });
  }
}

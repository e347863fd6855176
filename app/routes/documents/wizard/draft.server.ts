import { redirect, type RouterContextProvider } from "react-router";
import { getUser, mustBeAllowed } from "../../../server/sessions/current-user.ts";
import { type Draft, findDraft, saveDraft } from "../../../server/drafts/drafts.ts";
import { takeInterrupted } from "../../../server/drafts/interrupted.ts";
import { fieldsFrom } from "../../../server/forms/forms.ts";
import { getSession } from "../../../server/sessions/session.ts";
import { documentForm, readTyped, withCustomFieldButtons } from "../document-form.server.ts";
import { failure } from "../../../server/provider/failure.ts";
import { firstOpenStep } from "./schema.server.ts";
import { type StepId, stepPath, steps } from "./steps.ts";

type Context = Readonly<RouterContextProvider>;

/** The draft that a step's address names. What others began, what has expired and what never was is not found. */
export async function requireDraft(context: Context, id: string): Promise<Draft> {
  mustBeAllowed(context, "docs", "create", "issue documents");
  let draft = await findDraft(getUser(context).id, id);
  if (draft && (await saveInterrupted(context, draft))) draft = await findDraft(getUser(context).id, id);
  if (!draft) {
    const message = "There is no such draft. It was discarded, or not saved for 7 days.";
    throw failure(404, { kind: "refused", message });
  }
  if (draft.issued) throw redirect(issuedPath(draft.issued.documentId));
  return draft;
}

/** What was typed when the session ended goes into the draft that it was typed for. */
async function saveInterrupted(context: Context, draft: Draft): Promise<boolean> {
  const session = getSession(context);
  const number = session.get("interrupted");
  if (!number) return false;
  session.unset("interrupted");
  const form = await takeInterrupted(number, stepPath(draft.id, "type"));
  return (
    form !== undefined && saveDraft(draft, withCustomFieldButtons(readTyped(fieldsFrom(form, documentForm))).values)
  );
}

/** Where a draft went that has become a document. */
export const issuedPath = (documentId: number | null) =>
  documentId === null ? "/documents/list" : `/documents/${documentId}`;

/** The same for a step that may only be opened once those before it are complete. */
export async function requireStep(context: Context, id: string, step: StepId): Promise<Draft> {
  const draft = await requireDraft(context, id);
  const open = firstOpenStep(draft);
  const order = steps.map(({ id }) => id);
  if (order.indexOf(open) < order.indexOf(step)) {
    // A step that nobody has been to yet is shown as it is; of others, what is missing.
    throw redirect(stepPath(id, open) + (open === "fields" && !draft.values.date ? "" : "?check"));
  }
  return draft;
}

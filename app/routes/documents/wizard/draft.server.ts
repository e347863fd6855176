import { redirect, type RouterContextProvider } from "react-router";
import { getUser, requireRight } from "../../../server/sessions/current-user.ts";
import { type Draft, findDraft, saveDraft } from "../../../server/drafts/drafts.ts";
import { takeInterrupted } from "../../../server/drafts/interrupted.ts";
import { fieldsFrom } from "../../../server/forms/forms.ts";
import { getSession } from "../../../server/sessions/session.ts";
import { documentForm, readDocumentForm } from "../document-form.server.ts";
import { failure } from "../../../server/provider/failure.ts";
import { firstOpenStep, openTab, stepErrors, type TabId } from "./schema.server.ts";
import { type StepId, stepPath, stepQuery, steps } from "./steps.ts";

type Context = Readonly<RouterContextProvider>;

/** The draft that a step's address names. Throws 404 for drafts of others and those that have expired. */
export async function requireDraft(context: Context, id: string): Promise<Draft> {
  requireRight(context, "docs", "create", "issue documents");
  const found = await findDraft(getUser(context).id, id);
  const draft = found && (await withInterrupted(context, found));
  if (!draft) {
    const message = "There is no such draft. It was discarded, or not saved for 7 days.";
    throw failure(404, { kind: "refused", message });
  }
  if (draft.issued) throw redirect(issuedPath(draft.issued.documentId));
  return draft;
}

/** The draft with the form that was posted to it after the session had ended, if there is one. */
async function withInterrupted(context: Context, draft: Draft): Promise<Draft> {
  const session = getSession(context);
  const number = session.get("interrupted");
  if (!number) return draft;
  session.unset("interrupted");
  const form = await takeInterrupted(number, stepPath(draft.id, "type"));
  if (!form) return draft;
  return (await saveDraft(draft, readDocumentForm(fieldsFrom(form, documentForm)).values)) ?? draft;
}

/** The failure of saving a draft that was saved elsewhere since it was read. */
export const draftConflict = () =>
  failure(409, {
    kind: "refused",
    message: "This draft was changed in another window. Press the button again to keep what is here.",
  });

/** Where a draft leads that was issued. */
export const issuedPath = (documentId: number | null) =>
  documentId === null ? "/documents/list" : `/documents/${documentId}`;

/** The draft for a step. Redirects to the first step that is not complete, where that comes before. */
export async function requireStep(context: Context, id: string, step: StepId): Promise<Draft> {
  const draft = await requireDraft(context, id);
  const open = firstOpenStep(draft);
  const order = steps.map(({ id }) => id);
  if (order.indexOf(open) < order.indexOf(step)) {
    // A step that was never opened is shown without errors.
    throw redirect(open === "fields" && !draft.values.date ? stepPath(id, open) : pathToErrors(draft, open));
  }
  return draft;
}

/** The address of a step with its errors, on the tab that has them. */
export function pathToErrors(draft: Draft, step: StepId, back = false): string {
  const tab = step === "fields" ? openTab(stepErrors(draft, step)) : undefined;
  return stepPath(draft.id, step, stepQuery({ tab, isChecked: true, back }));
}

export const pathToTab = (draft: Draft, tab: TabId, back: boolean) =>
  stepPath(draft.id, "fields", stepQuery({ tab, back }));

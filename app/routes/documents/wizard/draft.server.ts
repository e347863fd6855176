import { redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getUser, requireRight } from "../../../server/sessions/current-user.ts";
import { type Draft, findDraft, saveDraft } from "../../../server/drafts/drafts.ts";
import { findInterrupted, removeInterrupted } from "../../../server/drafts/interrupted.ts";
import { fieldsFrom } from "../../../server/forms/forms.ts";
import { getSession } from "../../../server/sessions/session.ts";
import { documentForm, readDocumentForm } from "../edit/document-form.server.ts";
import { failure } from "../../../server/provider/failure.ts";
import { firstOpenStep, openTab, stepErrors, type TabId } from "./schema.server.ts";
import { type StepId, stepPath, stepQuery, steps } from "./steps.ts";

/** The draft that a step's address names. Throws 404 for drafts of others and those that have expired. */
export async function requireDraft(context: Context, id: string): Promise<Draft> {
  requireRight(context, "docs", "create", t("documents.rights.issue"));
  const stored = await findDraft(getUser(context).id, id);
  const draft = stored && (await withInterrupted(context, stored));
  if (!draft) {
    const message = t("documents.wizard.draft.noSuchDraft");
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
  const start = stepPath(draft.id, "type");
  const form = await findInterrupted(number, (path) => `${path.split("?", 1)[0]}/`.startsWith(`${start}/`));
  if (!form) return draft;
  session.unset("interrupted");
  await removeInterrupted(number);
  return (await saveDraft(draft, readDocumentForm(fieldsFrom(form, documentForm)).values)) ?? draft;
}

/** The failure of saving a draft that was saved elsewhere since it was read. */
export const draftConflict = () =>
  failure(409, {
    kind: "refused",
    message: t("documents.wizard.draft.wasChangedElsewhere"),
  });

/** The page of an issued draft's document. */
export const issuedPath = (documentId: number | null) =>
  documentId === null ? "/documents/list" : `/documents/${documentId}`;

/** The draft for a step. Redirects to the first step that is not complete, if that comes before. */
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

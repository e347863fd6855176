import { redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { storeDocument } from "#provider/contract/document-form.ts";
import { type Draft, finishDraft, noteRefusal, saveDraft, sendPages } from "../../../server/drafts/drafts.ts";
import { type Fields, replyUnchecked } from "../../../server/forms/forms.ts";
import { forgetLoadedDocuments } from "../../../server/lists/loaded-documents.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure, failure } from "../../../server/provider/failure.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import { replacedValues } from "../edit/new-version.server.ts";
import { issuedPath, pathToErrors } from "./draft.server.ts";
import { firstOpenStep, placeRefusals } from "./schema.server.ts";

/**
 * Issues a complete draft and leads to the document, or to the step that can correct what the provider refuses; gives
 * the review's form back if no step can. Throws other failures; the draft stays. Its id is the idempotency key: sent
 * twice, it is issued once.
 */
export async function issueDraft(context: Context, draft: Draft, form: Fields) {
  const { replaces, replaces_version, release, release_version, ...values } = draft.values;
  const toIssue = {
    ...values,
    ...(replaces && { replaces, replaces_version }),
    ...(release && { release, release_version }),
  };
  const { copies, replaces: older, release: resent, ...fields } = storeDocument.body.parse(toIssue);
  // Another provider may not know these fields.
  const body = {
    ...fields,
    ...(copies > 1 && { copies }),
    ...(older && { replaces: older }),
    ...(resent && { release: resent }),
  };
  try {
    const headers = { "idempotency-key": draft.id };
    const provider = getProvider(context);
    const document = await sendPages(draft, (files) => provider.storeDocument({ body, files, headers }));
    if (document && "awaiting_release" in document && !("id" in document)) {
      await finishDraft(draft, null);
      const { awaiting_release, number } = document;
      const notice = t("documents.wizard.issue.awaitsRelease", { name: body.name, number });
      return redirectWithNotice(context, `/documents/releases/${awaiting_release}`, notice);
    }
    await finishDraft(draft, document?.id ?? null);
    return redirectWithNotice(
      context,
      issuedPath(document?.id ?? null),
      issuedNotice(document?.name || body.name, document?.number || body.number),
    );
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    const { status, kind, message, errors = {} } = failed;
    if (kind === "unreachable" || kind === "out-of-order") {
      throw failure(status, {
        ...failed,
        message: t("documents.wizard.issue.yourDraftIsSaved", { problem: message }),
      });
    }
    const refusal = placeRefusals(errors);
    const refused = { ...draft, refusal };
    const step = firstOpenStep(refused);
    if (status === 409 && replaces) await acceptChange(context, draft, replaces);
    await noteRefusal(draft, step === "review" ? {} : refusal);
    if (step !== "review") return redirect(pathToErrors(refused, step));
    if (refusal[""]?.length) return replyUnchecked(form, z.object({}), { "": refusal[""] });
    throw thrown;
  } finally {
    forgetLoadedDocuments(context);
  }
}

/** The refusal says that the replaced document was changed: who creates this one again has seen that. */
async function acceptChange(context: Context, draft: Draft, id: string) {
  try {
    await saveDraft(draft, replacedValues(await getProvider(context).getDocument({ params: { id } })));
  } catch (thrown) {
    if (!asFailure(thrown)) throw thrown;
  }
}

const issuedNotice = (name: string, number: string) =>
  number
    ? t("documents.wizard.issue.wasIssuedWithNumber", { name, number })
    : t("documents.wizard.issue.wasIssued", { name });

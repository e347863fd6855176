import { data, redirect, type RouterContextProvider } from "react-router";
import { storeDocument } from "#provider/contract/document-form.ts";
import { type Draft, finishDraft, noteRefusal, sendPages } from "../../../server/drafts/drafts.ts";
import { forgetLoadedDocuments } from "../../../server/lists/loaded-documents.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { setNotice } from "../../../server/sessions/session.ts";
import type { Errors } from "../document-form.server.ts";
import { issuedPath } from "./draft.server.ts";
import { firstOpenStep } from "./schema.server.ts";
import { stepPath } from "./steps.ts";

/**
 * Sends a complete draft to the provider. The draft's id is the idempotency key: sent twice, it is issued once. What is
 * refused leads to the step that can put it right; whatever happens, nothing of the draft is lost.
 */
export async function issueDraft(context: Readonly<RouterContextProvider>, draft: Draft) {
  const body = storeDocument.body.parse(draft.values);
  try {
    const headers = { "idempotency-key": draft.id };
    const provider = getProvider(context);
    const document = await sendPages(draft, (files) => provider.storeDocument({ body, files, headers }));
    await finishDraft(draft, document?.id ?? null);
    setNotice(context, issuedNotice(document?.name || body.name, document?.number || body.number));
    return redirect(issuedPath(document?.id ?? null));
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    if (failed.kind === "unreachable" || failed.kind === "out-of-order")
      return answer(`${failed.message} Your draft is kept.`, failed.status);
    return refused(draft, failed);
  } finally {
    forgetLoadedDocuments(context);
  }
}

const issuedNotice = (name: string, number: string) =>
  number ? `${name} was issued with the number ${number}` : `${name} was issued`;

const answer = (message: string, status: number) => data({ errors: { "": [message] } as Errors }, { status });

async function refused(draft: Draft, failed: { status: number; message: string; errors?: Errors }) {
  const errors = failed.errors ?? {};
  await noteRefusal(draft, errors);
  const step = firstOpenStep({ ...draft, refusal: errors });
  if (step !== "review") return redirect(`${stepPath(draft.id, step)}?check`);
  return answer(Object.values(errors)[0]?.[0] ?? failed.message, failed.status);
}

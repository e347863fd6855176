import { data, redirect, type RouterContextProvider } from "react-router";
import { storeDocument } from "#provider/contract/documents.ts";
import { type Draft, finishDraft, noteRefusal } from "../../../server/drafts/drafts.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { setNotice } from "../../../server/session.ts";
import { opened } from "../../../server/start.ts";
import type { Errors } from "../typed.ts";
import { issuedPath } from "./draft.ts";
import { firstOpenStep } from "./schema.ts";
import { stepPath } from "./steps.ts";

/**
 * Sends a complete draft to the provider. The draft's id is the idempotency key: sent twice, it is issued once. What is
 * refused leads to the step that can put it right; whatever happens, nothing of the draft is lost.
 */
export async function issueDraft(context: Readonly<RouterContextProvider>, draft: Draft) {
  const { files } = await opened();
  const body = storeDocument.body.parse(draft.values);
  const pageFiles = await Promise.all(
    draft.files.map(async ({ key, name, type }) => ({ name, content: await files.blob(key, type) })),
  );
  try {
    const headers = { "idempotency-key": draft.id };
    const document = await getProvider(context).storeDocument({ body, files: pageFiles, headers });
    await finishDraft(draft, document.id);
    setNotice(context, `${document.name} was issued with the number ${document.number}`);
    return redirect(issuedPath(document.id));
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    return failed.kind === "refused" ? refused(draft, failed) : answer(unknown, failed.status);
  }
}

const answer = (message: string, status: number) => data({ errors: { "": [message] } as Errors }, { status });

const unknown =
  "The provider did not answer, so it is not known whether the document was issued. " +
  "Look for its number in the list before you try again. Your draft is kept.";

async function refused(draft: Draft, failed: { status: number; message: string; errors?: Errors }) {
  const errors = failed.errors ?? {};
  await noteRefusal(draft, errors);
  const step = firstOpenStep({ ...draft, refusal: errors });
  if (step !== "review") return redirect(`${stepPath(draft.id, step)}?check`);
  return answer(Object.values(errors)[0]?.[0] ?? failed.message, failed.status);
}

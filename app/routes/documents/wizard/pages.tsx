import type { SubmissionResult } from "@conform-to/react";
import { redirect, useNavigation } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { showSize } from "#lib/messages/staff-sizes.ts";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { UploadList } from "../../../components/form/upload-list.tsx";
import { useUploads } from "../../../components/form/uploads.ts";
import { Notes } from "../../../components/text/notes.tsx";
import {
  type Draft,
  noteRefusal,
  orderFiles,
  receivePages,
  removeFile,
  saveDraft,
} from "../../../server/drafts/drafts.ts";
import { refetchUser, getUser } from "../../../server/sessions/current-user.ts";
import { placingPages } from "../../../server/drafts/placing-pages.ts";
import { requesterOf } from "../../../server/page-work.ts";
import { replyUnchecked, handleForm } from "../../../server/forms/forms.ts";
import { type Page, PagePreview, pagesOf } from "../view/page-preview.tsx";
import { PlacingFields } from "../edit/placing-fields.tsx";
import { documentForm, draftForm, readDocumentForm } from "../edit/document-form.server.ts";
import type { Route } from "./+types/pages";
import { readOptions } from "../edit/options.server.ts";
import { CopiesField } from "./copies-field.tsx";
import { draftConflict, pathToErrors, requireDraft, requireStep } from "./draft.server.ts";
import { NextButton, StepButtons, wizardForm, WizardLayout } from "./layout.tsx";
import { PageOffers } from "./page-offers.tsx";
import { offeredValues, pageOffers } from "./page-offers.server.ts";
import { PageDrop, PageThumbs } from "./page-thumbs.tsx";
import { completeSteps, stepErrors, stepReply } from "./schema.server.ts";
import { exitTarget, leadsBack, stepPath, stepQuery } from "./steps.ts";

/** Suits most documents. */
const usualPlacing = "bottom-right:first:medium";

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const draft = await requireStep(context, params.draft, "pages");
  const { max_copies, suggested_fields: suggested } = await readOptions(context);
  return {
    draftId: draft.id,
    replaces: draft.values.replaces_number,
    complete: completeSteps(draft),
    files: draft.files,
    values: { qr_placing: draft.values.qr_placing ?? usualPlacing, copies: draft.values.copies ?? "1" },
    maxCopies: max_copies,
    offers: await pageOffers(draft, { context, request, suggested }),
    placed: placingPages(draft.files, (file, page) => drawingOf(draft.files[file]!.key, page, "small")),
    check: stepReply(draft, "pages", { isChecked: url.searchParams.has("check") }),
  };
}

/** Takes new page files first, whatever button sent them; then does what the button says. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const before = await requireStep(context, params.draft, "pages");
  const requester = requesterOf(getUser(context), request);
  const receiving = { schema: documentForm, requester, confirm: () => refetchUser(context) };
  const { fields, added, refused } = await receivePages(request, before, receiving);
  const { form, values, intent } = readDocumentForm(fields);
  // The user has been here since: what was refused about the files no longer holds.
  if (before.refusal.files) await noteRefusal(before, withoutFiles(before.refusal));
  // Files may take minutes: meanwhile others came, or the draft was issued.
  const draft = await requireDraft(context, params.draft);
  return handleForm(form, {
    schema: draftForm,
    messageField: "files",
    async save() {
      const saved = await saveDraft(draft, { ...values, ...(await offeredValues(draft, intent)) });
      if (!saved) throw draftConflict();
      await changeFiles(saved, intent, fields.getAll("order"));
      const refusals =
        intent === "add" && added + refused.length === 0 ? [t("documents.wizard.pages.chooseTheFilesFirst")] : refused;
      if (refusals.length > 0) return replyUnchecked(form, draftForm, { files: refusals });
      return redirect(nextPage(saved, intent, leadsBack(url)));
    },
  });
}

async function changeFiles(draft: Draft, intent: string, order: string[]) {
  const [what, key = ""] = intent.split(" ");
  if (what === "earlier" || what === "later") await move(draft, key, what === "earlier" ? -1 : 1);
  if (what === "remove") await removeFile(draft, key);
  if (what === "order") await orderFiles(draft, order);
}

function nextPage(draft: Draft, intent: string, back: boolean) {
  if (intent === "prev") return stepPath(draft.id, "fields");
  if (intent !== "next") return exitTarget(draft.id, intent) ?? stepPath(draft.id, "pages", stepQuery({ back }));
  const isComplete = Object.keys(stepErrors(draft, "pages")).length === 0;
  return isComplete ? stepPath(draft.id, "review") : pathToErrors(draft, "pages", back);
}

const withoutFiles = ({ files: _, ...others }: Draft["refusal"]) => others;

async function move(draft: Draft, key: string, by: -1 | 1) {
  const keys = draft.files.map(({ key }) => key);
  const from = keys.indexOf(key);
  const to = from + by;
  if (!keys[from] || !keys[to]) return;
  [keys[from], keys[to]] = [keys[to], keys[from]];
  await orderFiles(draft, keys);
}

export default function WizardPages({ loaderData, actionData }: Route.ComponentProps) {
  const { draftId, replaces, complete, files, values, check, maxCopies, offers, placed } = loaderData;
  const { reply, isBusy, onSubmit, list } = useUploads(actionData, { join: joinRefusals });
  const { field, summary } = formState(values, reply ?? check);
  const isSending = useNavigation().state === "submitting";
  const pages = pagesOf(files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <WizardLayout step="pages" enter="next" draftId={draftId} complete={complete} errors={summary} replaces={replaces}>
      <Form
        method="post"
        encType="multipart/form-data"
        noValidate
        preventScrollReset
        id={wizardForm}
        onSubmit={onSubmit}
      >
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <section className="panel" aria-labelledby="pages" aria-busy={isSending || isBusy}>
            <div className="panel-head">
              <h2 id="pages">{t("common.pages")}</h2>
              <p className="text-sm text-muted" role="status">
                {isSending
                  ? t("documents.wizard.pages.saving")
                  : files.length > 0 &&
                    t("documents.wizard.pages.pagesAndSize", { count: pages.length, size: showSize(bytes) })}
              </p>
            </div>
            <div className="px-5 pb-5 max-md:px-4">
              <PageDrop errors={field("files").errors} />
              <UploadList {...list} />
              <PageThumbs files={files} />
              <Notes notes={files.flatMap(({ notes }) => notes)} className="mt-5" />
              <PageOffers offers={offers} />
            </div>
          </section>
          <section className="panel" aria-labelledby="placing">
            <div className="panel-head">
              <h2 id="placing">{t("common.whereTheQrGoes")}</h2>
            </div>
            <div className="px-5 pb-5 max-md:px-4">
              <PlacingFields field={field("qr_placing")} pages={placed} />
              {maxCopies > 1 && <CopiesField field={field("copies")} max={maxCopies} />}
            </div>
          </section>
        </div>
        <StepButtons>
          <NextButton />
        </StepButtons>
      </Form>
      <PagePreview pages={pages} drawing={drawing} />
    </WizardLayout>
  );
}

/** Each file has a reply of its own. */
const joinRefusals = (before: SubmissionResult | undefined, next: SubmissionResult): SubmissionResult => ({
  ...next,
  error: { ...next.error, files: [...(before?.error?.files ?? []), ...(next.error?.files ?? [])] },
});

const drawing = ({ file, inFile }: Page<{ key: string; name: string }>, size: "small" | "large") =>
  drawingOf(file.key, inFile, size);

const drawingOf = (key: string, page: number, size: "small" | "large") => `/files/${key}?page=${page}&size=${size}`;

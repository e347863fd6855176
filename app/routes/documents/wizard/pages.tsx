import { data, Form, redirect, useNavigation } from "react-router";
import { showBytes, showCount } from "../../../components/format.ts";
import {
  type Draft,
  noteRefusal,
  orderFiles,
  receivePages,
  removeFile,
  saveDraft,
} from "../../../server/drafts/drafts.ts";
import { refetchUser, getUser } from "../../../server/sessions/current-user.ts";
import { requesterOf } from "../../../server/page-work.ts";
import { failureOf } from "../../../server/provider/failure.ts";
import { summary } from "../errors.ts";
import { type Page, PagePreview, pagesOf } from "../page-preview.tsx";
import { PlacingFields } from "../placing-fields.tsx";
import { documentForm, type Errors, readTyped } from "../typed.ts";
import type { Route } from "./+types/pages";
import { requireDraft, requireStep } from "./draft.ts";
import { NextButton, StepButtons, wizardForm, WizardLayout } from "./layout.tsx";
import { PageDrop, PageThumbs } from "./page-thumbs.tsx";
import { completeSteps, stepErrors } from "./schema.ts";
import { elsewhere, stepPath } from "./steps.ts";

/** What most documents want. */
const usualPlacing = "bottom-right:first:medium";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const draft = await requireStep(context, params.draft, "pages");
  return {
    draftId: draft.id,
    complete: completeSteps(draft),
    files: draft.files,
    placing: draft.values.qr_placing ?? usualPlacing,
    errors: url.searchParams.has("check") ? stepErrors(draft, "pages") : ({} as Errors),
  };
}

/** Takes new page files first, whatever button sent them; then does what the button says. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const before = await requireStep(context, params.draft, "pages");
  const requester = requesterOf(getUser(context), request);
  const receiving = { schema: documentForm, requester, confirm: () => refetchUser(context) };
  const { fields, added, refused } = await receivePages(request, before, receiving);
  const { values, go } = readTyped(fields);
  // Whatever was refused about the files: the user has been here since.
  if (before.refusal.files) await noteRefusal(before, withoutFiles(before.refusal));
  const draft = await requireDraft(context, params.draft);
  try {
    await saveDraft(draft, values);
  } catch (thrown) {
    const { message, status } = failureOf(thrown);
    return data({ errors: { files: [message] } as Errors }, { status });
  }
  const [what, key = ""] = go.split(" ");
  if (what === "up" || what === "down") await move(draft, key, what === "up" ? -1 : 1);
  if (what === "remove") await removeFile(draft, key);
  if (what === "order") await orderFiles(draft, fields.getAll("order"));
  const refusals = go === "add" && added + refused.length === 0 ? ["Choose the files first"] : refused;
  if (refusals.length > 0) return data({ errors: { files: refusals } as Errors }, { status: 422 });
  const leave = elsewhere(draft.id, go);
  if (leave) return redirect(leave);
  if (go === "prev") return redirect(stepPath(draft.id, "fields"));
  if (go !== "next") return redirect(stepPath(draft.id, "pages"));
  const isComplete = Object.keys(stepErrors(await requireDraft(context, params.draft), "pages")).length === 0;
  return redirect(isComplete ? stepPath(draft.id, "review") : `${stepPath(draft.id, "pages")}?check`);
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

/** A refused form has changed something all the same: the files that were good are added. */
export const shouldRevalidate = () => true;

export default function WizardPages({ loaderData, actionData }: Route.ComponentProps) {
  const { draftId, complete, files, placing } = loaderData;
  const { errors } = actionData ?? loaderData;
  const isSending = useNavigation().state === "submitting";
  const pages = pagesOf(files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <WizardLayout step="pages" enter="next" draftId={draftId} complete={complete} errors={summary(errors)}>
      <Form
        method="post"
        encType="multipart/form-data"
        noValidate
        preventScrollReset
        id={wizardForm}
        // What is on its way is not to be cut off by the next press.
        onSubmit={(event) => isSending && event.preventDefault()}
      >
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <section className="panel" aria-labelledby="pages" aria-busy={isSending}>
            <div className="panel-head">
              <h2 id="pages">Pages</h2>
              <p className="text-sm text-muted" role="status">
                {isSending ? "Saving …" : files.length > 0 && `${showCount(pages.length, "page")}, ${showBytes(bytes)}`}
              </p>
            </div>
            <div className="px-5 pb-5 max-md:px-4">
              <PageDrop errors={errors.files} isSending={isSending} />
              <PageThumbs files={files} />
            </div>
          </section>
          <section className="panel" aria-labelledby="placing">
            <div className="panel-head">
              <h2 id="placing">Where the QR goes</h2>
            </div>
            <div className="px-5 pb-5 max-md:px-4">
              <PlacingFields placing={placing} error={errors.qr_placing?.[0]} />
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

const drawing = ({ file, inFile }: Page<{ key: string; name: string }>, size: "small" | "large") =>
  `/files/${file.key}?page=${inFile}&size=${size}`;

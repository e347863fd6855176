import { ArrowLeft, FileCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Link, redirect } from "react-router";
import { z } from "zod";
import { t, tRich } from "#lib/messages/staff.ts";
import { showSize } from "#lib/messages/staff-sizes.ts";
import { doubtfulDates } from "#provider/contract/doubtful-dates.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { formState } from "../../../components/form/form-state.ts";
import { placingInWords } from "../../../components/record/document-fields.ts";
import { Facts } from "../../../components/record/facts.tsx";
import { Form } from "../../../components/form/form.tsx";
import { hidden } from "../../../components/text/message-elements.tsx";
import { Notes } from "../../../components/text/notes.tsx";
import { Tabs, useTab } from "../../../components/frame/tabs.tsx";
import { type DraftValues, saveDraft } from "../../../server/drafts/drafts.ts";
import { placingNotes } from "../../../server/drafts/placing-pages.ts";
import { handleForm, readForm } from "../../../server/forms/forms.ts";
import { dateQuestion } from "../edit/date-question.ts";
import { readOptions } from "../edit/options.server.ts";
import { nextInRange, ownerWith } from "../edit/system-choices.server.ts";
import { pagesOf } from "../view/page-preview.tsx";
import type { Route } from "./+types/review";
import { Details } from "./details.tsx";
import { requireStep } from "./draft.server.ts";
import { MarkedFacts } from "./page-offers.tsx";
import { pageOffers } from "./page-offers.server.ts";
import { ReleaseNotice } from "./release-notice.tsx";
import { checkRelease } from "./check.server.ts";
import { issueDraft } from "./issue.server.ts";
import { WizardLayout } from "./layout.tsx";
import { completeSteps } from "./schema.server.ts";
import { type StepId, stepPath } from "./steps.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const draft = await requireStep(context, params.draft, "review");
  const { date = "", expire_date = "" } = draft.values;
  const values: DraftValues = { ...draft.values, date: isoDate(date), expire_date: isoDate(expire_date) };
  const options = await readOptions(context);
  const branch = ownerWith(options.owners, values.email ?? "")?.branch;
  values.number ||= numberToCome(nextInRange(options, values));
  return {
    draftId: draft.id,
    replaces: draft.values.replaces_number,
    complete: completeSteps(draft),
    files: draft.files,
    notes: [...draft.files.flatMap(({ notes }) => notes), ...placingNotes(draft.files, values.qr_placing)],
    values,
    branch,
    offers: await pageOffers(draft),
    doubts: doubtfulDates(values, options.date).map(dateQuestion),
    held: await checkRelease(context, draft),
  };
}

const numberToCome = (next: string | undefined) =>
  next ? t("documents.wizard.review.nextInRange", { number: next }) : t("documents.wizard.review.chosenWhenIssued");

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await readForm(request);
  const draft = await requireStep(context, params.draft, "review");
  if (form.get("intent") === "no-replacement") {
    await saveDraft(draft, { replaces: "", replaces_number: "", replaces_version: "" });
    return redirect(stepPath(draft.id, "review"));
  }
  return handleForm(form, { schema: z.object({}), save: () => issueDraft(context, draft, form) });
}

const tabs = [
  { id: "system", label: t("common.systemProperties") },
  { id: "custom", label: t("common.customProperties") },
] as const;

export default function WizardReview({ loaderData, actionData }: Route.ComponentProps) {
  const { draftId, replaces, complete, files, notes, values, branch, offers, doubts, held } = loaderData;
  const { summary } = formState({}, actionData);
  const tab = useTab(tabs);
  return (
    <WizardLayout step="review" draftId={draftId} complete={complete} errors={summary} replaces={replaces}>
      <section className="panel" aria-label={t("documents.wizard.steps.review")}>
        <Tabs label={t("common.properties")} tabs={tabs} />
        {tab === "system" ? (
          <>
            <Reviewed
              title={t("common.type")}
              change={{ draftId, step: "type", words: tRich("documents.wizard.review.changeType", { hidden }) }}
            >
              <Facts
                facts={[
                  [t("common.type"), values.document_type],
                  [t("common.subtype"), values.document_subtype],
                ]}
              />
            </Reviewed>
            <Reviewed
              title={t("common.details")}
              change={{ draftId, step: "fields", words: tRich("documents.wizard.review.changeDetails", { hidden }) }}
            >
              <Details values={values} branch={branch} offers={offers} />
              <Notes notes={doubts} label={t("documents.dates.checkTheDates")} className="mt-4" />
            </Reviewed>
            <Reviewed
              title={t("common.pages")}
              change={{ draftId, step: "pages", words: tRich("documents.wizard.review.changePages", { hidden }) }}
            >
              <p className="mb-3">{pagesInWords(files, values)}</p>
              <ol className="thumbs thumbs-small">
                {files.map(({ key, name }) => (
                  <li key={key} className="thumb-page">
                    <img src={`/files/${key}?page=1&size=small`} alt={name} loading="lazy" decoding="async" />
                  </li>
                ))}
              </ol>
              <Notes notes={notes} className="mt-4" />
            </Reviewed>
          </>
        ) : (
          <Reviewed
            title={t("common.customFields")}
            change={{
              draftId,
              step: "fields",
              words: tRich("documents.wizard.review.changeCustomFields", { hidden }),
              tab: "&tab=custom",
            }}
          >
            {values.custom_fields?.length ? (
              <MarkedFacts offers={offers} facts={values.custom_fields.map(({ name, value }) => [name, value])} />
            ) : (
              <p className="text-muted">{t("documents.wizard.review.noCustomFields")}</p>
            )}
          </Reviewed>
        )}
      </section>
      {held && <ReleaseNotice {...held} />}
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <Link className="btn btn-plain !px-2" to="/documents/list">
          {t("common.cancel")}
        </Link>
        <div className="ml-auto flex flex-wrap justify-end gap-3">
          <Link className="btn btn-quiet" to={stepPath(draftId, "pages")}>
            <ArrowLeft className="ico" />
            {t("common.prev")}
          </Link>
          <Form method="post" className="contents">
            {replaces && (
              <button type="submit" className="btn btn-quiet" name="intent" value="no-replacement">
                {t("documents.wizard.review.dontReplace", { replaces })}
              </button>
            )}
            <button type="submit" className="btn btn-primary">
              <FileCheck className="ico" />
              {t("documents.wizard.review.create")}
            </button>
          </Form>
        </div>
      </div>
    </WizardLayout>
  );
}

type ReviewedProps = {
  title: string;
  change: { draftId: string; step: StepId; words: ReactNode; tab?: string };
  children: ReactNode;
};

/** A section of what will be issued, with a link to the step where it can be changed and whose Next leads back. */
function Reviewed({ title, change: { draftId, step, words, tab = "" }, children }: ReviewedProps) {
  return (
    <section className="form-section" aria-labelledby={`review-${step}`}>
      <div className="flex items-baseline justify-between gap-3 lg:block">
        <h2 id={`review-${step}`}>{title}</h2>
        <Link className="row-act -ml-2" to={stepPath(draftId, step, `?back=review${tab}`)}>
          {words}
        </Link>
      </div>
      <div>{children}</div>
    </section>
  );
}

function pagesInWords(files: { name: string; pages: number; bytes: number }[], { qr_placing, copies }: DraftValues) {
  const words = {
    pages: pagesOf(files).length,
    files: files.length,
    size: showSize(files.reduce((sum, { bytes }) => sum + bytes, 0)),
    placing: placingInWords(qr_placing ?? "none"),
  };
  return Number(copies) > 1
    ? t("documents.wizard.review.pagesInFilesAndCopies", { ...words, copies: Number(copies) })
    : t("documents.wizard.review.pagesInFiles", words);
}

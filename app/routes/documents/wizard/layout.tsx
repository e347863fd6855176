import { ArrowLeft, ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { CloseLink, Dialog, useDialog } from "../../../components/dialog/dialog.tsx";
import { ErrorSummary, type SummaryError } from "../../../components/form/error-summary.tsx";
import { DefaultSubmit } from "../../../components/form/default-submit.tsx";
import { Form } from "../../../components/form/form.tsx";
import { RequiredLegend } from "../../../components/form/required-legend.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { Timeline } from "../../../components/record/timeline.tsx";
import { type StepId, stepPath, steps } from "./steps.ts";

type WizardLayoutProps = {
  step: StepId;
  /** Empty before the first step was saved. */
  draftId: string;
  /** The steps that are complete. */
  complete: StepId[];
  errors: SummaryError[];
  /** The number of the document that this one replaces; empty for none. */
  replaces?: string | undefined;
  /** The intent of Enter in the step's form. */
  enter?: "next" | "keep";
  children: ReactNode;
};

/** The frame of the four steps: heading, timeline, and the button that discards the draft. */
export function WizardLayout({ step, draftId, complete, errors, replaces, enter, children }: WizardLayoutProps) {
  const { label } = steps.find(({ id }) => id === step)!;
  return (
    <>
      <PageTitle title={t("documents.wizard.layout.title", { step: label })} hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <div className="page-head">
        <div>
          <h1>{t("common.addNewDocument")}</h1>
          {replaces && (
            <p className="mt-1">
              {tRich("documents.wizard.layout.newVersionOf", {
                number: replaces,
                code: (words) => (
                  <span className="code" translate="no">
                    {words}
                  </span>
                ),
              })}
            </p>
          )}
          <RequiredLegend />
        </div>
        {draftId && <DiscardDraft draftId={draftId} />}
      </div>
      {/* Before the timeline, whose buttons belong to the form as well. */}
      {enter && <DefaultSubmit form={wizardForm} value={enter} />}
      <Timeline
        steps={steps}
        current={step}
        isDone={(id) => complete.includes(id)}
        leading={(id, content) =>
          complete.includes(id) ? (
            <DoneStep draftId={draftId} id={id} saves={step !== "review"}>
              {content}
            </DoneStep>
          ) : (
            content
          )
        }
      />
      {children}
    </>
  );
}

/** Leads to a complete step. On steps with fields it is a button, which saves them first. */
function DoneStep({
  draftId,
  id,
  saves,
  children,
}: {
  draftId: string;
  id: StepId;
  saves: boolean;
  children: ReactNode;
}) {
  if (!saves) return <Link to={stepPath(draftId, id)}>{children}</Link>;
  return (
    <button type="submit" form={wizardForm} name="intent" value={`step ${id}`}>
      {children}
    </button>
  );
}

function DiscardDraft({ draftId }: { draftId: string }) {
  const { open, openTo, closeTo } = useDialog();
  return (
    <>
      <Link className="btn btn-plain" to={openTo("discard")} preventScrollReset>
        {t("documents.wizard.layout.discardDraft")}
      </Link>
      {open === "discard" && (
        <Dialog
          title={t("documents.wizard.layout.discardQuestion")}
          lead={<p>{t("documents.wizard.layout.effectOfDiscarding")}</p>}
          closeTo={closeTo}
        >
          <Form method="post" action={stepPath(draftId, "type")} className="modal-foot">
            <CloseLink to={closeTo}>{t("documents.wizard.layout.keepDraft")}</CloseLink>
            <button type="submit" className="btn btn-error" name="intent" value="discard">
              {t("documents.wizard.layout.discardDraft")}
            </button>
          </Form>
        </Dialog>
      )}
    </>
  );
}

/** The id of each step's form, for buttons outside of it. */
export const wizardForm = "wizard";

/** Cancel, Prev and Next under a step. All of them save what was typed. */
export function StepButtons({ hasPrev = true, children }: { hasPrev?: boolean; children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3">
      <button type="submit" className="btn btn-plain !px-2" name="intent" value="cancel">
        {t("common.cancel")}
      </button>
      <div className="ml-auto flex flex-wrap gap-3">
        <button type="submit" className="btn btn-quiet" name="intent" value="prev" disabled={!hasPrev}>
          <ArrowLeft className="ico" />
          {t("common.prev")}
        </button>
        {children}
      </div>
    </div>
  );
}

export const NextButton = () => (
  <button type="submit" className="btn btn-primary" name="intent" value="next">
    {t("common.next")}
    <ArrowRight className="ico" />
  </button>
);

import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { CloseLink, Dialog, useDialog } from "../../../components/dialog/dialog.tsx";
import { ErrorSummary, type SummaryError } from "../../../components/form/error-summary.tsx";
import { Form } from "../../../components/form/form.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { Timeline } from "../../../components/record/timeline.tsx";
import { type BulkStep, bulkPath, bulkSteps } from "./steps.ts";

type BulkLayoutProps = {
  step: BulkStep;
  /** Undefined before the first step was saved. */
  id?: number;
  /** The steps that can be opened. */
  open?: BulkStep[];
  errors?: SummaryError[];
  /** Beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of the four steps: heading, timeline, and what can be done at any of them. */
export function BulkLayout({ step, id, open = [], errors = [], actions, children }: BulkLayoutProps) {
  const { label } = bulkSteps.find((one) => one.id === step)!;
  return (
    <>
      <PageTitle title={t("documents.bulk.layout.title", { step: label })} hasErrors={errors.length > 0} />
      <ErrorSummary errors={errors} />
      <div className="page-head">
        <div>
          <h1>{t("common.issueManyDocuments")}</h1>
          {id !== undefined && <p className="lead">{t("documents.bulk.layout.bulkIssueId", { id })}</p>}
        </div>
        {actions && <div className="page-acts">{actions}</div>}
      </div>
      <Timeline
        steps={bulkSteps}
        current={step}
        isDone={(one) => indexOf(one) < indexOf(step)}
        leading={(one, content) =>
          id !== undefined && open.includes(one) ? <Link to={bulkPath(id, one)}>{content}</Link> : content
        }
      />
      {children}
    </>
  );
}

const indexOf = (step: BulkStep) => bulkSteps.findIndex(({ id }) => id === step);

type CancelProps = { id: number; isBegun: boolean };

/** Stops a bulk issue for good, behind a question. */
export function CancelBulk({ id, isBegun }: CancelProps) {
  const { open, openTo, closeTo } = useDialog();
  const what = isBegun ? t("documents.bulk.layout.cancelTheRest") : t("documents.bulk.layout.discard");
  return (
    <>
      <Link className="btn btn-plain" to={openTo("cancel")} preventScrollReset>
        {what}
      </Link>
      {open === "cancel" && (
        <Dialog
          title={
            isBegun ? t("documents.bulk.layout.cancelTheRestQuestion") : t("documents.bulk.layout.discardQuestion")
          }
          lead={
            <p>
              {isBegun ? t("documents.bulk.layout.effectOfCancelling") : t("documents.bulk.layout.effectOfDiscarding")}
            </p>
          }
          closeTo={closeTo}
        >
          <Form method="post" action={bulkPath(id, "run")} className="modal-foot">
            <CloseLink to={closeTo}>{t("documents.bulk.layout.goBack")}</CloseLink>
            <button type="submit" className="btn btn-error" name="intent" value="cancel">
              {what}
            </button>
          </Form>
        </Dialog>
      )}
    </>
  );
}

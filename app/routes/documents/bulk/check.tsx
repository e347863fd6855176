import { Link, redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Dialog, CloseLink, useDialog } from "../../../components/dialog/dialog.tsx";
import { Form } from "../../../components/form/form.tsx";
import { AutoRefresh } from "../../../components/frame/auto-refresh.tsx";
import { actionHeaders, readForm } from "../../../server/forms/forms.ts";
import { startBulkIssue } from "#provider/contract/bulk-issues.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { refreshSeconds } from "../../../server/request/refresh-seconds.ts";
import type { Route } from "./+types/check";
import { readBulkRows, refusalOf, requireBulk, requireBulkStep } from "./bulk.server.ts";
import { BulkLayout, CancelBulk } from "./layout.tsx";
import { BulkProgress } from "./progress.tsx";
import { RowTable } from "./row-table.tsx";
import { BackToContent, StartForm } from "./start-form.tsx";
import { bulkPath, openSteps } from "./steps.ts";

/** Step 3: every row with its problems, and the start. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const issue = await requireBulkStep(context, params.id, "check");
  return {
    issue,
    part: issue.state === "checked" ? await readBulkRows(context, url, params.id) : undefined,
    only: url.searchParams.get("state") ?? "",
    refreshSeconds: refreshSeconds(url, issue.state === "checking"),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requireBulk(context);
  const provider = getProvider(context);
  const form = await readForm(request, startBulkIssue.body);
  try {
    if (form.get("intent") === "check") {
      await provider.checkBulkIssue({ params });
      return redirect(bulkPath(params.id, "check"));
    }
    await provider.startBulkIssue({ params, body: { leave_out_wrong: form.get("leave_out_wrong") === "1" } });
    return redirect(bulkPath(params.id, "run"));
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

export const headers = actionHeaders;

const headings: Record<string, string | undefined> = {
  wrong: t("documents.bulk.check.wrongRows"),
  noted: t("documents.bulk.check.rowsWithNotes"),
};

export default function BulkCheck({ loaderData, actionData }: Route.ComponentProps) {
  const { issue, part, only, refreshSeconds } = loaderData;
  const { id, state, checked, rows } = issue;
  const { open, at, closeTo } = useDialog();
  const errors = actionData ? [{ fieldId: "start", message: actionData.refused }] : [];
  return (
    <BulkLayout
      step="check"
      id={id}
      open={openSteps(issue)}
      errors={errors}
      actions={<CancelBulk id={id} isBegun={false} />}
    >
      {state === "draft" && <Unchecked id={id} reason={issue.reason} />}
      {state === "checking" && (
        <BulkProgress label={t("documents.bulk.check.beingChecked")} done={checked} of={rows}>
          <AutoRefresh seconds={refreshSeconds} />
        </BulkProgress>
      )}
      {part && (
        <>
          <StartForm issue={issue} />
          <div className="panel-head flex-wrap">
            <h2>{headings[only] ?? t("documents.bulk.check.allRows")}</h2>
            <p className="flex flex-wrap gap-x-4">
              {headings[only] ? (
                <Link to={bulkPath(id, "check")}>{t("documents.bulk.check.showAllRows", { rows })}</Link>
              ) : (
                <>
                  {issue.wrong > 0 && (
                    <Link to={bulkPath(id, "check", "?state=wrong")}>
                      {t("documents.bulk.check.showWrongRowsOnly")}
                    </Link>
                  )}
                  {issue.noted > 0 && (
                    <Link to={bulkPath(id, "check", "?state=noted")}>
                      {t("documents.bulk.check.showRowsWithNotesOnly")}
                    </Link>
                  )}
                </>
              )}
              {issue.wrong > 0 && (
                <a href={`/files/bulk-issues/${id}/refused.csv`}>{t("documents.bulk.check.wrongRowsAsCsv")}</a>
              )}
            </p>
          </div>
          <RowTable issue={issue} part={part} hasPreview />
        </>
      )}
      {open === "preview" && /^\d+$/.test(at) && (
        <Dialog title={t("documents.bulk.check.previewOfLine", { line: at })} className="modal-wide" closeTo={closeTo}>
          <img
            className="my-4 max-h-[70vh] w-auto border border-base-300"
            src={`/files/bulk-issues/${id}/rows/${at}`}
            alt={t("documents.bulk.check.firstPageOfLine", { line: at })}
          />
          <div className="modal-foot">
            <CloseLink to={closeTo}>{t("common.close")}</CloseLink>
          </div>
        </Dialog>
      )}
    </BulkLayout>
  );
}

/** After a change, or where checking had to stop. */
const Unchecked = ({ id, reason }: { id: number; reason: string }) => (
  <section className="panel p-5 max-md:p-4">
    <h2>{t("documents.bulk.check.notCheckedYet")}</h2>
    {reason && <p className="notice is-warn mt-3">{reason}</p>}
    <p className="mt-2 text-muted">{t("documents.bulk.check.nothingIsIssuedByIt")}</p>
    <Form method="post" className="mt-4 flex flex-wrap gap-3">
      <button type="submit" className="btn btn-primary" name="intent" value="check">
        {t("documents.bulk.check.checkRows")}
      </button>
      <BackToContent id={id} />
    </Form>
  </section>
);

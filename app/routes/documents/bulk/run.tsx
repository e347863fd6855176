import type { ReactNode } from "react";
import { Link, redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import type { BulkIssueState } from "#provider/contract/bulk-options.ts";
import { Facts } from "../../../components/record/facts.tsx";
import { Form } from "../../../components/form/form.tsx";
import { showNumber } from "../../../components/text/format.ts";
import { AutoRefresh } from "../../../components/frame/auto-refresh.tsx";
import { actionHeaders, readForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { refreshSeconds } from "../../../server/request/refresh-seconds.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import type { Route } from "./+types/run";
import { readBulkRows, refusalOf, requireBulk, requireBulkStep } from "./bulk.server.ts";
import { BulkLayout, CancelBulk } from "./layout.tsx";
import { BulkProgress } from "./progress.tsx";
import { BulkResults } from "./results.tsx";
import { RowTable } from "./row-table.tsx";
import { bulkPath, bulkStateWords } from "./steps.ts";

const isOver = (state: BulkIssueState) => state === "done" || state === "cancelled";

/** Step 4: how far it is, and at the end what came of it. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const issue = await requireBulkStep(context, params.id, "run");
  return {
    issue,
    // While it runs the page asks again and again, for one row of one table.
    part: isOver(issue.state) ? await readBulkRows(context, url, params.id) : undefined,
    hasProblemsOnly: url.searchParams.get("state") === "wrong",
    refreshSeconds: refreshSeconds(url, issue.state === "running"),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requireBulk(context);
  const provider = getProvider(context);
  const intent = (await readForm(request, z.object({}))).get("intent");
  try {
    if (intent === "pause") await provider.pauseBulkIssue({ params });
    if (intent === "resume") await provider.resumeBulkIssue({ params });
    if (intent === "cancel") {
      const { started_at } = await provider.cancelBulkIssue({ params });
      if (!started_at)
        return redirectWithNotice(context, "/documents/bulk", t("documents.bulk.run.wasDiscarded", { id: params.id }));
    }
    return redirect(bulkPath(params.id, "run"));
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

export const headers = actionHeaders;

export default function BulkRun({ loaderData, actionData }: Route.ComponentProps) {
  const { issue, part, hasProblemsOnly, refreshSeconds } = loaderData;
  const { id, state, rows, issued, refused, left_out, reason, is_own, awaiting_release } = issue;
  const [done, of] = [issued + refused, rows - left_out];
  const errors = actionData ? [{ fieldId: "main", message: actionData.refused }] : [];
  const actions = !isOver(state) && <CancelBulk id={id} isBegun />;
  return (
    <BulkLayout step="run" id={id} open={["run"]} errors={errors} actions={actions}>
      <BulkProgress label={bulkStateWords[state]} done={done} of={of}>
        {reason && <p className={`notice mt-4 ${state === "waiting" ? "is-warn" : "is-bad"}`}>{reason}</p>}
        <div className="mt-4">
          <Facts
            facts={[
              [t("common.issued"), showNumber(issued - awaiting_release)],
              ...awaiting(issue),
              [t("common.refused"), showNumber(refused)],
              [t("documents.bulk.rowTable.leftOut"), showNumber(left_out)],
              [t("common.by"), issue.user],
            ]}
          />
        </div>
        {!isOver(state) && (
          <Form method="post" className="mt-4">
            {state === "running" && (
              <button type="submit" className="btn btn-quiet" name="intent" value="pause">
                {t("documents.bulk.run.pause")}
              </button>
            )}
            {state !== "running" && is_own && (
              <button type="submit" className="btn btn-primary" name="intent" value="resume">
                {t("documents.bulk.run.continue")}
              </button>
            )}
          </Form>
        )}
        {state === "running" && <p className="mt-3 text-sm text-muted">{t("documents.bulk.run.youCanLeave")}</p>}
        <AutoRefresh seconds={refreshSeconds} />
      </BulkProgress>
      {part && <BulkResults issue={issue} />}
      {part && (
        <div className="panel-head flex-wrap">
          <h2>{hasProblemsOnly ? t("documents.bulk.run.rowsWithProblems") : t("documents.bulk.check.allRows")}</h2>
          {hasProblemsOnly ? (
            <Link to={bulkPath(id, "run")}>{t("documents.bulk.check.showAllRows", { rows })}</Link>
          ) : (
            rows > part.rows.length && (
              <Link to={bulkPath(id, "run", "?state=wrong")}>{t("documents.bulk.run.showRowsWithProblemsOnly")}</Link>
            )
          )}
        </div>
      )}
      {part && <RowTable issue={issue} part={part} />}
    </BulkLayout>
  );
}

/** How many rows wait for another user, with the way of their drafter to them; nothing for none. */
const awaiting = ({ awaiting_release: count, is_own }: BulkIssue): [string, ReactNode][] => {
  const shown = showNumber(count);
  const link = <Link to="/documents/releases?tab=own">{shown}</Link>;
  return count === 0 ? [] : [[t("documents.releases.awaitingRelease"), is_own ? link : shown]];
};

import { data, redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { shownRefusal } from "../../../server/forms/shown-refusal.ts";
import { parseListQuery, readList } from "../../../server/lists/lists.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { requireOffer, requireRight } from "../../../server/sessions/current-user.ts";
import { type BulkStep, bulkPath, currentStep, openSteps } from "./steps.ts";

/** Whether the user may issue many documents, and the provider offers it. */
export function requireBulk(context: Context) {
  requireRight(context, "docs", "create", t("documents.rights.issue"));
  requireOffer(context, "bulkIssues");
}

/** A bulk issue for one of its steps. Redirects to the step where it is, if that step can't be opened. */
export async function requireBulkStep(context: Context, id: string, step: BulkStep): Promise<BulkIssue> {
  requireBulk(context);
  const issue = await getProvider(context).getBulkIssue({ params: { id } });
  if (!openSteps(issue).includes(step)) throw redirect(bulkPath(issue.id, currentStep(issue)));
  return issue;
}

/** What the page shows of a refusal that concerns no field of it. */
export type Refused = { refused: string; at?: string };

/** The reply to a step that was refused; rethrows what belongs on an error page. */
export function refusalOf(thrown: unknown, at?: string) {
  const { refused, init } = shownRefusal(thrown);
  return data<Refused>({ refused, ...(at && { at }) }, init);
}

/** The rows of a bulk issue's table, filtered as the address says. */
export async function readBulkRows(context: Context, url: URL, id: string) {
  const query = parseListQuery(url, "listBulkRows", ["state"], [25, 50]);
  const part = await readList(getProvider(context), "listBulkRows", query, { params: { id } });
  return { ...part, rows: part.rows.map((row) => ({ ...row, id: row.line })) };
}

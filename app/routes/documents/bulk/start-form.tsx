import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { Link } from "react-router";
import { CheckboxField } from "../../../components/form/checkbox-field.tsx";
import { Facts } from "../../../components/record/facts.tsx";
import { Form } from "../../../components/form/form.tsx";
import { showNumber } from "../../../components/text/format.ts";
import { Notes } from "../../../components/text/notes.tsx";
import { bulkPath } from "./steps.ts";

/** What is about to be issued, and the button that begins. */
export function StartForm({ issue }: { issue: BulkIssue }) {
  const { rows, wrong, noted, notes, pages } = issue;
  const good = rows - wrong;
  return (
    <section className="panel mb-5" aria-labelledby="start-title">
      <div className="panel-head">
        <h2 id="start-title">
          {wrong === 0
            ? t("documents.bulk.startForm.everyRowIsReady")
            : t("documents.bulk.startForm.rowsCantBeIssued", { wrong })}
        </h2>
      </div>
      <div className="px-5 pb-5 max-md:px-4">
        <Facts
          facts={[
            [t("common.rows"), showNumber(rows)],
            [t("documents.bulk.startForm.ready"), showNumber(good)],
            [t("documents.bulk.rowTable.wrong"), showNumber(wrong)],
            ...(noted > 0 ? [[t("documents.bulk.startForm.withNotes"), showNumber(noted)] as [string, string]] : []),
            [t("common.pages"), planned(issue, pages)],
          ]}
        />
        <Notes notes={notes} className="mt-4" />
        <Form method="post" className="mt-5 grid justify-items-start gap-4" id="start" tabIndex={-1}>
          {wrong > 0 && good > 0 && (
            <CheckboxField
              field={{ id: "leave_out_wrong", name: "leave_out_wrong" }}
              label={t("documents.bulk.startForm.leaveOutWrongRows", { wrong })}
              hint={t("documents.bulk.startForm.otherwiseCorrectTable")}
            />
          )}
          {good === 0 && <p>{t("documents.bulk.startForm.correctTheTable")}</p>}
          <p className="flex flex-wrap gap-3">
            {good > 0 && (
              <button type="submit" className="btn btn-primary" name="intent" value="start">
                {t("documents.bulk.startForm.issueDocuments", { count: good })}
              </button>
            )}
            {wrong > 0 && <BackToContent id={issue.id} isPrimary={good === 0} />}
          </p>
        </Form>
      </div>
    </section>
  );
}

export const BackToContent = ({ id, isPrimary = false }: { id: number; isPrimary?: boolean }) => (
  <Link className={isPrimary ? "btn btn-primary" : "btn btn-quiet"} to={bulkPath(id, "content")}>
    {t("documents.bulk.check.backToContent")}
  </Link>
);

/** `40, after 120 of 500 in your plan this month` */
function planned({ pages_included: included, pages_used: used }: BulkIssue, pages: number) {
  if (used === null) return showNumber(pages);
  if (included === null) return t("documents.bulk.startForm.pagesThisMonth", { pages, used });
  const extra = Math.min(pages, used + pages - included);
  return extra > 0
    ? t("documents.bulk.startForm.pagesBeyondPlan", { pages, used, included, extra })
    : t("documents.bulk.startForm.pagesInPlan", { pages, used, included });
}

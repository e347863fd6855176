import { Form } from "react-router";
import { say } from "#messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { CheckboxField } from "../../../components/checkbox-field.tsx";
import { Facts } from "../../../components/facts.tsx";
import { showCount } from "../../../components/format.ts";

const number = (count: number) => count.toLocaleString("en-GB");

/** What is about to be issued, and the button that begins. */
export function StartForm({ issue }: { issue: BulkIssue }) {
  const { rows, wrong, pages } = issue;
  const good = rows - wrong;
  return (
    <section className="panel mb-5" aria-labelledby="start-title">
      <div className="panel-head">
        <h2 id="start-title">
          {wrong === 0 ? say("documents.bulk.startForm.everyRowIsReady") : `${showCount(wrong, "row")} can’t be issued`}
        </h2>
      </div>
      <div className="px-5 pb-5 max-md:px-4">
        <Facts
          facts={[
            [say("common.rows"), number(rows)],
            [say("documents.bulk.startForm.ready"), number(good)],
            [say("documents.bulk.startForm.wrong"), number(wrong)],
            [say("common.pages"), planned(issue, pages)],
          ]}
        />
        <Form method="post" className="mt-5 grid justify-items-start gap-4" id="start" tabIndex={-1}>
          {wrong > 0 && good > 0 && (
            <CheckboxField
              field={{ id: "leave_out_wrong", name: "leave_out_wrong" }}
              label={`Leave out the ${showCount(wrong, "wrong row")}`}
              hint={say("documents.bulk.startForm.otherwiseCorrectTheTable")}
            />
          )}
          {good > 0 ? (
            <button type="submit" className="btn btn-primary" name="intent" value="start">
              Issue {showCount(good, "document")}
            </button>
          ) : (
            <p>{say("documents.bulk.startForm.correctTheTableAnd")}</p>
          )}
        </Form>
      </div>
    </section>
  );
}

/** `40 more this month, 120 of 500 in your plan until now` */
function planned({ pages_included, pages_used }: BulkIssue, pages: number) {
  if (pages_used === null) return number(pages);
  if (pages_included === null) return `${number(pages)}, after ${number(pages_used)} this month`;
  const extra = Math.max(0, pages_used + pages - pages_included);
  const of = `${number(pages)}, after ${number(pages_used)} of ${number(pages_included)} in your plan this month`;
  return extra > 0 ? `${of}: ${number(Math.min(extra, pages))} of them cost extra` : of;
}

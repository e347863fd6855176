import { Download, Tags } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { maxLabelDocuments } from "#provider/contract/label-sheets.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";

/** What came of a bulk issue, to save. */
export function BulkResults({ issue: { id, refused, left_out, mapping, ...issue } }: { issue: BulkIssue }) {
  const issued = issue.issued - issue.awaiting_release;
  const files = `/files/bulk-issues/${id}`;
  const parts = Math.ceil(issued / maxLabelDocuments);
  return (
    <section className="panel mb-5" aria-labelledby="results">
      <div className="panel-head">
        <h2 id="results">{t("common.results")}</h2>
      </div>
      <div className="flex flex-wrap gap-3 px-5 pb-5 max-md:px-4">
        {issued > 0 && (
          <Saved to={`${files}/sealed.zip`}>{t("documents.bulk.results.sealedPdfsAsZip", { count: issued })}</Saved>
        )}
        <Saved to={`${files}/result.csv`}>{t("documents.bulk.results.tableWithNumbers")}</Saved>
        {mapping.includes("recipient_email") && (
          <Link className="btn btn-quiet" to="/documents/list?mail=undelivered">
            {t("documents.bulk.results.undelivered")}
          </Link>
        )}
        {refused + left_out > 0 && (
          <Saved to={`${files}/refused.csv`}>{t("documents.bulk.results.rowsNotIssued")}</Saved>
        )}
        {Array.from({ length: parts }, (_, n) => (
          <Link key={n} className="btn btn-quiet" to={`/documents/bulk/${id}/labels?page=${n + 1}`}>
            <Tags className="ico" />
            {parts === 1
              ? t("common.labels")
              : t("documents.bulk.results.labelsFromTo", {
                  from: n * maxLabelDocuments + 1,
                  to: Math.min(issued, (n + 1) * maxLabelDocuments),
                })}
          </Link>
        ))}
      </div>
    </section>
  );
}

const Saved = ({ to, children }: { to: string; children: React.ReactNode }) => (
  <a className="btn btn-quiet h-auto! max-w-full whitespace-normal! py-2 text-left" href={to}>
    <Download className="ico" />
    {children}
  </a>
);

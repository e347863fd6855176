import { t } from "#lib/messages/staff.ts";
import type { RulePreview } from "#provider/contract/alert-rules.ts";
import { maxExamples, previewDays } from "#provider/contract/alert-thresholds.ts";
import { showDate } from "../../components/text/format.ts";
import { type Column, Table } from "../../components/list/table.tsx";

type Example = RulePreview["examples"][number];

type RulePreviewProps = {
  preview: RulePreview;
  /** The thresholds in words. */
  summary: string;
  /** What it can't know. */
  unknown: string;
  /** Whether documents may be opened. */
  mayOpen: boolean;
};

/** What a rule would have raised in the last month. */
export function RulePreviewPanel({ preview, summary, unknown, mayOpen }: RulePreviewProps) {
  const { since, until, scans, is_partial, raised, would_raise, examples } = preview;
  return (
    <section className="panel mt-6 overflow-hidden" aria-labelledby="preview" role="status">
      <div className="p-5 max-md:p-4">
        <h2 id="preview">{t("alerts.rulePreview.preview")}</h2>
        <p className="mt-2 text-lg font-semibold">{t("alerts.rulePreview.raisedByThese", { would_raise, raised })}</p>
        <p className="mt-1">
          {t("alerts.rulePreview.scansReplayed", { summary, scans, since: showDate(since), until: showDate(until) })}
          {is_partial && ` ${t("alerts.rulePreview.isPartial", { days: previewDays })}`}
        </p>
        <p className="hint mt-2">
          {unknown} {t("alerts.rulePreview.countedOnce")}
        </p>
      </div>
      {examples.length > 0 && (
        <Table
          caption={
            would_raise > maxExamples
              ? t("alerts.rulePreview.newestOfThem", { count: maxExamples })
              : t("alerts.rulePreview.alertsWithTheseThresholds")
          }
          rows={examples}
          columns={columns(mayOpen)}
          keyOf={({ document_id, copy, day }) => `${document_id} ${copy} ${day}`}
        />
      )}
      {would_raise > examples.length && (
        <p className="hint p-5 pt-3 max-md:p-4">
          {t("alerts.rulePreview.newestAreListed", { count: examples.length })}
        </p>
      )}
    </section>
  );
}

const columns = (mayOpen: boolean): Column<Example>[] => [
  {
    label: t("common.document"),
    cell: ({ document, document_id }) => (mayOpen ? <a href={`/documents/${document_id}`}>{document}</a> : document),
  },
  { label: t("common.copy"), cell: ({ copy }) => copy ?? "–" },
  {
    label: t("alerts.rulePreview.day"),
    cell: ({ day }) => <span className="whitespace-nowrap">{showDate(day)}</span>,
  },
  {
    label: t("alerts.rulePreview.untilNow"),
    cell: ({ is_new }) => (is_new ? t("alerts.rulePreview.noAlert") : t("alerts.rulePreview.alertRaised")),
  },
];

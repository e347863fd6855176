import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import type { FixedRule, RuleName } from "#provider/contract/alert-thresholds.ts";
import type { AlertFigures } from "#provider/contract/alert-cases.ts";
import { entryOf, showNumber } from "../../components/text/format.ts";
import { Table } from "../../components/list/table.tsx";
import { alertInWords } from "../../components/scan/alert-words.ts";
import { durationInWords } from "./duration-words.ts";

type Figures = { label: string; cell(figures: AlertFigures): ReactNode };

/** How soon alerts were looked at and completed, and how many were false alarms. */
export function CaseFigures({ figures }: { figures: AlertFigures[] }) {
  const isEmpty = figures.every(({ alerts, is_capped }) => alerts === 0 && !is_capped);
  return (
    <section className="panel overflow-hidden" aria-label={t("common.howAlertsWereHandled")}>
      {isEmpty ? (
        <p className="p-5 text-muted max-md:px-4">{t("alerts.caseFigures.none")}</p>
      ) : (
        <Table
          caption={t("common.howAlertsWereHandled")}
          rows={[...fixedRows, ...ruleRows(figures)]}
          keyOf={({ label }) => label}
          columns={[
            { label: t("alerts.caseFigures.figure"), cell: ({ label }) => label },
            ...figures.map((period) => ({
              label: t("common.lastDays", { days: period.days }),
              cell: ({ cell }: Figures) => <span>{cell(period)}</span>,
            })),
          ]}
        />
      )}
      {figures.some(({ is_capped }) => is_capped) && (
        <p className="px-5 py-3 text-sm text-muted max-md:px-4">{t("alerts.caseFigures.newestOnly")}</p>
      )}
    </section>
  );
}

const fixedRows: Figures[] = [
  { label: t("alerts.caseFigures.alertsRaised"), cell: ({ alerts }) => showNumber(alerts) },
  { label: t("alerts.caseFigures.timeToTheFirstLook"), cell: ({ first_look }) => timesInWords(first_look) },
  { label: t("alerts.caseFigures.timeToCompletion"), cell: ({ done }) => timesInWords(done) },
  { label: t("alerts.caseFigures.falseAlarms"), cell: ({ rules }) => shareInWords(rules) },
];

function timesInWords({ median_s, p90_s }: AlertFigures["done"]) {
  if (median_s === null || p90_s === null) return "–";
  return (
    <>
      {durationInWords(median_s)}
      <small>{t("alerts.caseFigures.mostWithin", { time: durationInWords(p90_s) })}</small>
    </>
  );
}

type Rule = AlertFigures["rules"][number];

/** A false alarm is one of those that were completed. */
function shareInWords(rules: Rule[]) {
  const completed = rules.reduce((sum, rule) => sum + rule.completed, 0);
  const falseAlarms = rules.reduce((sum, rule) => sum + rule.false_alarms, 0);
  if (completed === 0) return "–";
  return (
    <>
      {t("common.percent", { percent: Math.round((falseAlarms / completed) * 100) })}
      <small>{t("alerts.caseFigures.ofCompleted", { falseAlarms, completed })}</small>
    </>
  );
}

const byType = (alert: string) => t("alerts.caseFigures.falseAlarmsOf", { alert });

/** By rule if several raise alerts of one type, else by the type. */
const falseAlarmsOf: Record<RuleName | FixedRule, (alert: string) => string> = {
  complaint: byType,
  burst: byType,
  expired: byType,
  withdrawn: byType,
  "withdrawn copy": byType,
  travel: (alert) => t("alerts.caseFigures.falseAlarmsOfTravel", { alert }),
  forged: (alert) => t("alerts.caseFigures.falseAlarmsOfForged", { alert }),
  "other paper": (alert) => t("alerts.caseFigures.falseAlarmsOfOtherPaper", { alert }),
  "altered code": (alert) => t("alerts.caseFigures.falseAlarmsOfAlteredCode", { alert }),
};

const labelOf = ({ rule, alert }: Rule) => (entryOf(falseAlarmsOf, rule) ?? byType)(alertInWords(alert));

const ruleRows = (figures: AlertFigures[]): Figures[] => {
  const labels = [...new Set(figures.flatMap(({ rules }) => rules.map(labelOf)))].toSorted();
  return labels.map((label) => ({
    label,
    cell: ({ rules }) => shareInWords(rules.filter((rule) => labelOf(rule) === label)),
  }));
};

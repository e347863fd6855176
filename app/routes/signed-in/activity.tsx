import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Activity } from "#provider/contract/scans.ts";
import { ActivityChart } from "../../components/scan/activity-chart.tsx";
import { showDate, showNumber } from "../../components/text/format.ts";

type ActivityPanelProps = {
  activity: Activity;
  /** Whether there is a page on how alerts were handled. */ hasFigures: boolean;
};

/** Scans and alerts of the last days: figures and a chart. */
export function ActivityPanel({ activity, hasFigures }: ActivityPanelProps) {
  const { days, scans_before, scans_by_staff, alerts_open, documents, documents_before } = activity;
  const scans = days.reduce((sum, day) => sum + day.scans, 0);
  const alerts = days.reduce((sum, day) => sum + day.alerts, 0);
  const [first, last] = [days[0]!, days.at(-1)!];
  return (
    <section className="panel mb-5" aria-labelledby="activity">
      <div className="panel-head">
        <h2 id="activity">{t("common.lastDays", { days: days.length })}</h2>
        <p className="num text-sm text-muted">
          {t("signed-in.activity.fromTo", { from: showDate(first.day), to: showDate(last.day) })}
        </p>
      </div>
      <dl className="figures rule">
        <Figure label={t("common.scans")} value={showNumber(scans)} note={compared(scans, scans_before)} />
        <Figure
          label={t("common.alerts")}
          value={showNumber(alerts)}
          note={<Link to="/alerts?state=open">{t("signed-in.activity.openInAll", { count: alerts_open })}</Link>}
        />
        <Figure
          label={t("signed-in.activity.newDocuments")}
          value={showNumber(documents)}
          note={compared(documents, documents_before)}
        />
        <Figure
          label={t("signed-in.activity.scannedByVisitors")}
          value={scans ? t("common.percent", { percent: Math.round(((scans - scans_by_staff) / scans) * 100) }) : "–"}
          note={t("signed-in.activity.theRestByStaff")}
        />
      </dl>
      <div className="rule p-5 max-md:p-4">
        <ActivityChart days={days} />
      </div>
      {hasFigures && (
        <p className="panel-foot">
          <Link className="inline-flex min-h-8 items-center font-semibold" to="/alerts/figures">
            {t("common.howAlertsWereHandled")}
          </Link>
        </p>
      )}
    </section>
  );
}

function compared(now: number, before: number) {
  if (now === before) return t("signed-in.activity.sameAsBefore");
  const difference = Math.abs(now - before);
  return now > before
    ? t("signed-in.activity.moreThanBefore", { count: difference })
    : t("signed-in.activity.fewerThanBefore", { count: difference });
}

const Figure = ({ label, value, note }: { label: string; value: string; note: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      {value}
      <small>{note}</small>
    </dd>
  </div>
);

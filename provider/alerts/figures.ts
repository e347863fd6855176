import { daysInMs, secondsInMs } from "#units";
import { type Actor, seesAllDocuments } from "../access.ts";
import type { AlertFigures } from "../contract/alert-cases.ts";
import { ago } from "../calendar.ts";
import { readableAlerts } from "../db/alerts.ts";
import { documentsByReach } from "../db/documents.ts";
import { byIndex } from "../db/lists.ts";
import type { Services } from "../services.ts";

const periods = [30, 90];

/** The newest alerts that are counted: more would make no other median, and a dashboard slow. */
const maxCounted = 5000;

/** How the alerts that the actor may read were handled, of each period. */
export async function figuresOf({ db, now }: Services, actor: Actor): Promise<AlertFigures[]> {
  const since = ago(now(), daysInMs(Math.max(...periods)));
  const all = db
    // Its alerts that the actor may not read are not looked up in the table.
    .selectFrom(byIndex(db, "alerts", "alerts_for_figures"))
    .where("alerts.company_id", "=", actor.company_id)
    .where("alerts.date", ">=", since)
    .select(["alerts.date", "rule", "alert", "case_state", "first_seen_at", "completed_at"])
    .orderBy("alerts.date", "desc")
    .limit(maxCounted + 1);
  const read = seesAllDocuments(actor, "alerts")
    ? all
    : all.leftJoin(documentsByReach(db), "documents.id", "alerts.document_id").where(readableAlerts(actor));
  const rows = await read.execute();
  const counted = rows.slice(0, maxCounted);
  return periods.map((days) => {
    const begin = ago(now(), daysInMs(days));
    const isCapped = rows.length > maxCounted && counted.at(-1)!.date >= begin;
    return { days, ...figures(counted.filter(({ date }) => date >= begin)), is_capped: isCapped };
  });
}

type Row = {
  date: string;
  rule: string;
  alert: string;
  case_state: string;
  first_seen_at: string | null;
  completed_at: string | null;
};

function figures(rows: Row[]): Omit<AlertFigures, "days" | "is_capped"> {
  const rules = new Map<string, AlertFigures["rules"][number]>();
  for (const { rule, alert, case_state } of rows) {
    if (case_state === "new" || case_state === "in work") continue;
    const figure = rules.get(rule) ?? { rule, alert, completed: 0, false_alarms: 0 };
    figure.completed++;
    if (case_state === "false alarm") figure.false_alarms++;
    rules.set(rule, figure);
  }
  const secondsTo = (at: (row: Row) => string | null) =>
    rows.flatMap((row) => {
      const end = at(row);
      return end === null ? [] : [Math.max(0, (Date.parse(end) - Date.parse(row.date)) / secondsInMs(1))];
    });
  return {
    alerts: rows.length,
    first_look: durations(secondsTo((row) => row.first_seen_at)),
    done: durations(secondsTo((row) => row.completed_at)),
    rules: [...rules.values()].toSorted((a, b) => b.completed - a.completed || a.rule.localeCompare(b.rule)),
  };
}

function durations(seconds: number[]) {
  const sorted = seconds.toSorted((a, b) => a - b);
  const percentile = (part: number) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
  return { alerts: sorted.length, median_s: percentile(0.5), p90_s: percentile(0.9) };
}

import { daysInMs, secondsInMs } from "#lib/units.ts";
import { type Actor, seesAllDocuments } from "../../access.ts";
import type { AlertFigures } from "../../contract/alert-cases.ts";
import { ago } from "../../calendar/calendar.ts";
import { alertsForFigures, createAlertReader } from "../alert-batches.ts";
import type { Db } from "../../db/tables.ts";
import type { Services } from "../../services.ts";

const periods = [30, 90];

/** The newest alerts that are counted: more would make no other median, and a dashboard slow. */
const maxCounted = 5000;
/** The newest alerts of a company that are searched for those of a user who sees only a part. */
const maxInspected = 20_000;

/** Says how the alerts that an actor may read were handled, of each period. */
export function createAlertFigures({ db, now }: Services) {
  const readAlerts = createAlertReader(db);
  return async (actor: Actor): Promise<AlertFigures[]> => {
    const since = ago(now(), daysInMs(Math.max(...periods)));
    const { rows, until } = seesAllDocuments(actor, "alerts")
      ? await allSince(db, actor, since)
      : await partOf(readAlerts(actor, { since, atMost: maxInspected }));
    return periods.map((days) => {
      const begin = ago(now(), daysInMs(days));
      return {
        days,
        ...figures(rows.filter(({ date }) => date >= begin)),
        is_capped: until !== undefined && until >= begin,
      };
    });
  };
}

/** The newest alerts, and the instant at which counting stopped, undefined if all are counted. */
type Newest = { rows: Row[]; until: string | undefined };

const newest = (rows: Row[]): Newest => ({
  rows: rows.slice(0, maxCounted),
  until: rows.length > maxCounted ? rows[maxCounted - 1]!.date : undefined,
});

const allSince = async (db: Db, { company_id }: Actor, since: string): Promise<Newest> =>
  newest(
    await alertsForFigures(db, company_id, since)
      .limit(maxCounted + 1)
      .execute(),
  );

async function partOf(batches: AsyncIterable<Newest>): Promise<Newest> {
  const rows: Row[] = [];
  let end: string | undefined;
  for await (const { rows: more, until } of batches) {
    rows.push(...more);
    if (rows.length > maxCounted) return newest(rows);
    end = until;
  }
  return { rows, until: end };
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

import { alertsWithin } from "../access.ts";
import { dailyScans, dashboardDays } from "../contract/scans.ts";
import { openAlerts } from "../db/alerts.ts";
import { today } from "../db/company.ts";
import type { On } from "../endpoint.ts";
import type { Services } from "../services.ts";
import { days } from "../time.ts";

/** A date some days before another. */
const daysBefore = (date: string, n: number) => new Date(Date.parse(date) - days(n)).toISOString().slice(0, 10);

export function serveScans(on: On, { db, now }: Services) {
  on(dailyScans, async ({ actor }) => {
    const last = today(actor.timezone, now());
    const first = daysBefore(last, dashboardDays - 1);
    const before = daysBefore(first, dashboardDays);
    const within = alertsWithin(actor, "read");
    const scans = await db
      .selectFrom("scans")
      .innerJoin("documents", "documents.id", "scans.document_id")
      .where("scans.company_id", "=", actor.company_id)
      .where("scans.day", ">=", before)
      .where(within)
      .groupBy(["day", "staff"])
      .select(["day", "staff", (eb) => eb.fn.countAll<number>().as("count")])
      .execute();
    const alerts = await db
      .selectFrom("alerts")
      .innerJoin("documents", "documents.id", "alerts.document_id")
      .where("alerts.company_id", "=", actor.company_id)
      .where("alerts.day", ">=", first)
      .where(within)
      .groupBy("day")
      .select(["day", (eb) => eb.fn.countAll<number>().as("count")])
      .execute();
    const documents = await db
      .selectFrom("documents")
      .where("documents.date", ">=", before)
      .where("documents.date", "<=", last)
      .where(within)
      .groupBy("date")
      .select(["date as day", (eb) => eb.fn.countAll<number>().as("count")])
      .execute();
    const isRecent = ({ day }: { day: string }) => day >= first;
    const isBefore = ({ day }: { day: string }) => day < first;
    const dates = Array.from({ length: dashboardDays }, (_, n) => daysBefore(last, dashboardDays - 1 - n));
    const of = (rows: Counted[], day: string) => sum(rows.filter((row) => row.day === day));
    return {
      days: dates.map((day) => ({ day, scans: of(scans, day), alerts: of(alerts, day) })),
      scans_before: sum(scans.filter(isBefore)),
      scans_by_staff: sum(scans.filter(({ day, staff }) => isRecent({ day }) && staff === 1)),
      alerts_open: await openAlerts(db, actor),
      documents: sum(documents.filter(isRecent)),
      documents_before: sum(documents.filter(isBefore)),
    };
  });
}

type Counted = { day: string; count: number };
const sum = (rows: Counted[]) => rows.reduce((total, { count }) => total + count, 0);

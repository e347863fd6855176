import { alertsWithin } from "../access.ts";
import { dailyScans, dashboardDays, listScans, mostPlaces, scanPlaces } from "../contract/scans.ts";
import { openAlerts } from "../db/alerts.ts";
import { today } from "../db/company.ts";
import { readPart } from "../db/lists.ts";
import { alertBehind, asPoint, asScan, hasPlace, isExact, placeOf, scanRows, scansFound } from "../db/scans.ts";
import { type On, listReply } from "../endpoint.ts";
import { boundsOf, cellsOf } from "../scans/places.ts";
import type { Services } from "../services.ts";
import { days } from "../time.ts";

/** A date some days before another. */
const daysBefore = (date: string, n: number) => new Date(Date.parse(date) - days(n)).toISOString().slice(0, 10);

export function serveScans(on: On, { db, now }: Services) {
  on(listScans, async ({ actor, query }) => {
    const found = scanRows(db, actor).where(scansFound(actor, query)).where(hasPlace(actor)).select(alertBehind(actor));
    const order = { first: "-at", last: "scans.id", countedIn: db };
    const { rows, total, isCapped } = await readPart(found, query, { at: "scans.at" }, order);
    return listReply(rows.map(asScan), total, { isCapped });
  });

  on(scanPlaces, async ({ actor, query: { points, ...wish } }) => {
    const found = scanRows(db, actor)
      .where(scansFound(actor, wish))
      .where("scans.latitude", "is not", null)
      .orderBy("scans.at", "desc");
    const rows = await found
      .clearSelect()
      .select(["scans.latitude", "scans.longitude", "scans.accuracy", "scans.suspicion", isExact(actor)])
      .limit(mostPlaces + 1)
      .execute();
    const places = rows.slice(0, mostPlaces).map((row) => {
      const { latitude, longitude } = placeOf(row, row.is_exact === 1);
      return { latitude: latitude!, longitude: longitude!, suspicion: row.suspicion === 1 };
    });
    const bounds = boundsOf(places);
    const isFew = places.length <= points;
    const single = isFew ? await found.select(alertBehind(actor)).limit(points).execute() : [];
    return {
      count: places.length,
      is_capped: rows.length > mostPlaces,
      bounds,
      points: single.map(asPoint),
      cells: bounds && !isFew ? cellsOf(places, wish.bbox ?? bounds) : [],
    };
  });

  on(dailyScans, async ({ actor }) => {
    const last = today(actor.timezone, now());
    const first = daysBefore(last, dashboardDays - 1);
    const before = daysBefore(first, dashboardDays);
    const within = alertsWithin(actor, "read");
    const scans = await db
      // Counted before it is asked which documents may be seen: once for each, not for each scan.
      .selectFrom((eb) =>
        eb
          .selectFrom("scans")
          .where("company_id", "=", actor.company_id)
          .where("day", ">=", before)
          .groupBy(["day", "document_id", "staff"])
          .select(["day", "document_id", "staff", (eb) => eb.fn.countAll<number>().as("count")])
          .as("counted"),
      )
      .innerJoin("documents", "documents.id", "counted.document_id")
      .where(within)
      .groupBy(["day", "staff"])
      .select(["day", "staff", (eb) => eb.fn.sum<number>("count").as("count")])
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

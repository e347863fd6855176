import { setImmediate as pause } from "node:timers/promises";
import { type SelectQueryBuilder, sql } from "kysely";
import { seesAllDocuments } from "../access.ts";
import { dailyScans, dashboardDays, listScans, mostPlaces, scanPlaces } from "../contract/scans.ts";
import { alertsRead, openAlerts } from "../db/alerts.ts";
import { today } from "../db/company.ts";
import { documentsADay } from "../db/document-days.ts";
import { readPart } from "../db/lists.ts";
import { allScans, scansWithinReach } from "../db/scan-days.ts";
import { alertBehind, asPoint, asScan, hasPlace, isExact, placeOf, scanRows, scansFound } from "../db/scans.ts";
import { type On, listReply } from "../endpoint.ts";
import type { Tables } from "../db/tables.ts";
import { boundsOf, cellsOf } from "../scans/places.ts";
import type { Services } from "../services.ts";
import { daysBefore } from "../time.ts";

export function serveScans(on: On, { db, now }: Services) {
  const scansRead = scansWithinReach(db);

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
      .orderBy("scans.at", "desc")
      .orderBy("scans.id", "desc");
    const rows = await newestPlaces(
      found
        .clearSelect()
        .select(["scans.id", "scans.at", "scans.latitude", "scans.longitude", "scans.accuracy"])
        .select(["scans.suspicion", isExact(actor)]),
    );
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
    const seesAll = seesAllDocuments(actor, "alerts");
    const scans = seesAll ? await allScans(db, actor, before) : await scansRead(actor, before, last);
    const alerts = await db
      .selectFrom("alerts")
      .leftJoin("documents", "documents.id", "alerts.document_id")
      .where(alertsRead(actor))
      .where("alerts.day", ">=", first)
      .groupBy("day")
      .select(["day", (eb) => eb.fn.countAll<number>().as("count")])
      .execute();
    const documents = await documentsADay(db, actor, { from: before, to: last });
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

/** How many places are read at a time: 10 ms with SQLite, in which nobody else is answered. */
const placesAtOnce = 2500;

/** As many as a map takes into account, and one more where there are more. */
async function newestPlaces<Row extends { id: number; at: string }>(found: SelectQueryBuilder<Tables, "scans", Row>) {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const some = await found
      .$if(last !== undefined, (all) => all.where(sql<boolean>`(scans.at, scans.id) < (${last!.at}, ${last!.id})`))
      .limit(Math.min(placesAtOnce, mostPlaces + 1 - rows.length))
      .execute();
    rows.push(...some);
    if (some.length < placesAtOnce || rows.length > mostPlaces) return rows;
    await pause();
  }
}

type Counted = { day: string; count: number };
const sum = (rows: Counted[]) => rows.reduce((total, { count }) => total + count, 0);

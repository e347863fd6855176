import { boundsOf } from "#lib/bounds.ts";
import { type Actor, alertsWithin } from "../access.ts";
import {
  dailyScans,
  dashboardDays,
  listDocumentScans,
  listScans,
  maxPlaces,
  newestScans,
  removeScanPlace,
  scanPlaces,
} from "../contract/scans.ts";
import { countOpenAlerts } from "../alerts/alert-queries.ts";
import { addDays, dateIn } from "../calendar/calendar.ts";
import { isAmong, countLimit } from "../db/lists.ts";
import { createAlertCounter, createDocumentCounter, createScanCounter } from "../db/daily-counts.ts";
import { readScans, takeScans } from "./scan-batches.ts";
import { alertBehind, asPoint, asScan, hasPlace, isExact, shownPosition, scanRows } from "./scan-queries.ts";
import type { Db } from "../db/tables.ts";
import type { On } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { listReply } from "../http/replies.ts";
import { cellsOf, Places } from "./places.ts";
import { removePlace } from "./remove-place.ts";
import type { Services } from "../services.ts";

/** Scans by time, with all that the actor may see of them. */
async function visibleScans(
  db: Db,
  actor: Actor,
  scans: { id: number; at: string }[],
  direction: "asc" | "desc" = "desc",
) {
  if (scans.length === 0) return [];
  const ids = scans.map(({ id }) => id);
  const times = scans.map(({ at }) => at).toSorted();
  const rows = scanRows(db, actor)
    .where(isAmong(db, "scans.id", ids))
    .where("scans.at", ">=", times[0]!)
    .where("scans.at", "<=", times.at(-1)!)
    .select(alertBehind(actor));
  return rows.orderBy("scans.at", direction).orderBy("scans.id", direction).execute();
}

const positioned = (scans: ReturnType<typeof scanRows>) => scans.where("scans.latitude", "is not", null).clearSelect();

export function serveScans(on: On, services: Services) {
  const { db, now } = services;
  const countScans = createScanCounter(db);
  const countAlerts = createAlertCounter(db);
  const countDocuments = createDocumentCounter(db);

  on(listScans, async ({ actor, query }) => {
    const { page, per_page, sort = "-at", ...filters } = query;
    const isDescending = sort === "-at";
    const result = await readScans(db, actor, {
      filters,
      isDescending,
      skip: (page - 1) * per_page,
      size: per_page,
      countLimit: Math.max(page * per_page, countLimit) + 1,
      select: (scans) => scans.where(hasPlace(actor)).clearSelect().select(["scans.id", "scans.at"]),
    });
    const rows = await visibleScans(db, actor, result.rows, isDescending ? "desc" : "asc");
    const isCapped = result.count > countLimit;
    return listReply(rows.map(asScan), Math.min(result.count, countLimit), { isCapped });
  });

  on(listDocumentScans, async ({ actor, params: { id } }) => {
    const document = db.selectFrom("documents").where("id", "=", id).where(alertsWithin(actor, "read"));
    if (!(await document.select("id").executeTakeFirst())) throw notFound();
    const newest = db.selectFrom("scans").where("document_id", "=", id).orderBy("at", "desc").orderBy("id", "desc");
    return (await visibleScans(db, actor, await newest.limit(newestScans).select(["id", "at"]).execute())).map(asScan);
  });

  on(removeScanPlace, async ({ caller, params, query }) =>
    removePlace(services, caller, { id: params.id, isOfNetwork: query.network }),
  );

  on(scanPlaces, async ({ actor, query: { points, ...filters } }) => {
    const placed = { filters, isDescending: true };
    const places = new Places(maxPlaces);
    const count = await takeScans(db, actor, {
      ...placed,
      countLimit: maxPlaces + 1,
      select: (scans) =>
        positioned(scans).select(["scans.latitude", "scans.longitude", "scans.suspicion", isExact(actor)]),
      take(rows) {
        for (const row of rows) {
          const { latitude, longitude } = shownPosition({ ...row, accuracy: null }, row.is_exact === 1);
          places.add({ latitude: latitude!, longitude: longitude!, suspicion: row.suspicion === 1 });
        }
      },
    });
    const reply = { count: places.length, is_capped: count > maxPlaces, bounds: boundsOf(places) };
    if (places.length > points) {
      const cells = await cellsOf(places, filters.bbox ?? reply.bounds!);
      return { ...reply, points: [], cells };
    }
    const single = await readScans(db, actor, {
      ...placed,
      countLimit: points,
      select: (scans) => positioned(scans).select(["scans.id", "scans.at"]),
    });
    return { ...reply, points: (await visibleScans(db, actor, single.rows)).map(asPoint), cells: [] };
  });

  on(dailyScans, async ({ actor }) => {
    const last = dateIn(actor.timezone, now());
    const first = addDays(last, 1 - dashboardDays);
    const before = addDays(first, -dashboardDays);
    const scans = await countScans(actor, before, last);
    const alerts = await countAlerts(actor, first, last);
    const documents = await countDocuments(actor, before, last);
    const isRecent = ({ day }: { day: string }) => day >= first;
    const isBefore = ({ day }: { day: string }) => day < first;
    const dates = Array.from({ length: dashboardDays }, (_, n) => addDays(last, n + 1 - dashboardDays));
    const of = (rows: DayCount[], day: string) => sum(rows.filter((row) => row.day === day));
    return {
      days: dates.map((day) => ({ day, scans: of(scans, day), alerts: of(alerts, day) })),
      scans_before: sum(scans.filter(isBefore)),
      scans_by_staff: sum(scans.filter(({ day, staff }) => isRecent({ day }) && staff === 1)),
      alerts_open: await countOpenAlerts(db, actor),
      documents: sum(documents.filter(isRecent)),
      documents_before: sum(documents.filter(isBefore)),
    };
  });
}

type DayCount = { day: string; count: number };
const sum = (rows: DayCount[]) => rows.reduce((total, { count }) => total + count, 0);

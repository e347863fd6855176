import { setImmediate } from "node:timers/promises";
import { minutesInMs } from "#lib/units.ts";
import { maxReplayed, previewDays, type RuleName } from "../../contract/alert-thresholds.ts";
import { type Actor, alertsWithin } from "../../access.ts";
import { addDays, ago, dateIn } from "../../calendar/calendar.ts";
import type { Db } from "../../db/tables.ts";
import { burstOfScans, firstDayEnded, impossibleTravel, isLeftOut, travelWindowMs } from "../../scans/judging/rules.ts";
import type { Rules } from "./rules.ts";

/** Replays stored scans through the rules in batches. */

/** What a rule would have raised: one alert for each document, copy and day. */
export type Raised = { document_id: number; copy: number | null; day: string };

export const keyOf = ({ document_id, copy, day }: Raised) => `${day} ${document_id} ${copy ?? ""}`;

/** Scans that are read at a time: some 10 ms with SQLite. */
const batchSize = 1000;
/** Comparisons of places, rows of windows and the like in a batch, between which other requests are answered. */
const batchSteps = 2000;
/** A document whose hundred thousand scans all have a place must not be compared each with each. */
const maxOthers = 1000;
const maxSteps = 1_000_000;

async function readDay(db: Db, actor: Actor, day: string, after: { document_id: number; id: number }) {
  return db
    .selectFrom("scans")
    .innerJoin("documents", "documents.id", "scans.document_id")
    .leftJoin("document_copies", (join) =>
      join.onRef("document_copies.document_id", "=", "scans.document_id").onRef("document_copies.n", "=", "scans.copy"),
    )
    .where("scans.company_id", "=", actor.company_id)
    .where("scans.day", "=", day)
    .where("scans.at", ">", addDays(day, -1))
    .where("scans.at", "<", addDays(day, 2))
    .where("scans.staff", "=", 0)
    .where((eb) =>
      eb.or([
        eb("scans.document_id", ">", after.document_id),
        eb.and([eb("scans.document_id", "=", after.document_id), eb("scans.id", ">", after.id)]),
      ]),
    )
    .where(alertsWithin(actor, "read"))
    .orderBy("scans.document_id")
    .orderBy("scans.id")
    .limit(batchSize)
    .select(["scans.id", "scans.document_id", "scans.copy", "scans.at", "scans.day", "address_hash", "verdict"])
    .select(["latitude", "longitude", "accuracy", "located_at", "status_since", "expire_date", "withdrawn_at"])
    .execute();
}

type ReplayedScan = Awaited<ReturnType<typeof readDay>>[number];

/** The visitors' scans of the last days, the newest days first, and since which day they are whole. */
export async function readReplay(db: Db, actor: Actor, now: Date, signal: AbortSignal) {
  const until = dateIn(actor.timezone, now);
  const first = addDays(until, 1 - previewDays);
  const scans: ReplayedScan[] = [];
  for (let day = until; day >= first; day = addDays(day, -1)) {
    const before = scans.length;
    for (let after = { document_id: 0, id: 0 }; ;) {
      const batch = await readDay(db, actor, day, after);
      scans.push(...batch);
      signal.throwIfAborted();
      if (batch.length < batchSize) break;
      if (scans.length >= maxReplayed) {
        // Of the day that does not fit nothing is known, unless it is the only one.
        if (before > 0) scans.length = before;
        return { scans, since: before > 0 ? addDays(day, 1) : day, until, isPartial: true };
      }
      after = batch.at(-1)!;
    }
    if (scans.length >= maxReplayed && day > first) return { scans, since: day, until, isPartial: true };
  }
  return { scans, since: first, until, isPartial: false };
}

/** Counts work and lets other requests come between batches; false once there was too much of it. */
function createPacer() {
  let steps = 0;
  let inBatch = 0;
  return async (count: number) => {
    steps += count;
    inBatch += count;
    if (inBatch >= batchSteps) {
      inBatch = 0;
      await setImmediate();
    }
    return steps <= maxSteps;
  };
}

type Replay = {
  rules: Rules;
  timeZone: string;
  scans: ReplayedScan[];
  /** Adds the alert about a scan. */
  raise(scan: Raised): void;
  isRaised(scan: Raised): boolean;
};

/** The alerts that a rule would have raised about scans, and whether it saw all of them. */
export async function replay(name: RuleName, of: Pick<Replay, "rules" | "timeZone" | "scans">) {
  const raised = new Map<string, Raised>();
  const raise = (scan: Raised) => void raised.set(keyOf(scan), scan);
  const run = { ...of, raise, isRaised: (scan: Raised) => raised.has(keyOf(scan)) };
  if (name === "travel") return { raised, isWhole: await replayTravel(run) };
  await (name === "burst" ? replayBurst(run) : replayEnded(name, run));
  return { raised, isWhole: true };
}

/** Each copy's scans in the order of a time; each is sorted when its turn comes. */
function* byCopy<Scan extends ReplayedScan>(scans: Scan[], timeOf: (scan: Scan) => string): Generator<Scan[]> {
  const groups = Map.groupBy(scans, ({ document_id, copy }) => `${document_id} ${copy ?? ""}`);
  const compare = (a: Scan, b: Scan) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : a.id - b.id);
  for (const group of groups.values()) yield group.toSorted(compare);
}

async function replayBurst({ rules: { burst: rule }, scans, raise }: Replay) {
  const windowMs = minutesInMs(rule.minutes);
  const pace = createPacer();
  for (const group of byCopy(scans, ({ at }) => at)) {
    const devices = new Map<string, number>();
    let first = 0;
    for (const scan of group) {
      await pace(2);
      devices.set(scan.address_hash, (devices.get(scan.address_hash) ?? 0) + 1);
      while (Date.parse(group[first]!.at) <= Date.parse(scan.at) - windowMs) {
        const left = group[first++]!.address_hash;
        const count = devices.get(left)! - 1;
        if (count === 0) devices.delete(left);
        else devices.set(left, count);
      }
      if (burstOfScans(devices.size, rule)) raise(scan);
    }
  }
}

/** A place is compared when it is reported, with those that were reported before. */
async function replayTravel({ rules: { travel: rule }, scans, raise, isRaised }: Replay) {
  const pace = createPacer();
  const located = scans.flatMap((scan) => {
    const { latitude, longitude, accuracy } = scan;
    return latitude === null || longitude === null ? [] : [{ ...scan, latitude, longitude, accuracy: accuracy ?? 0 }];
  });
  for (const group of byCopy(located, (scan) => scan.located_at ?? scan.at)) {
    for (const [n, scan] of group.entries()) {
      if (isRaised(scan)) continue;
      const others = group.slice(Math.max(0, n - maxOthers), n);
      if (!(await pace(others.length + 1))) return false;
      const since = ago(new Date(scan.located_at ?? scan.at), travelWindowMs);
      const near = others.filter(({ at }) => at > since);
      if (impossibleTravel(scan, near, rule)) raise(scan);
    }
  }
  return true;
}

type RuleOfEnded = "expired" | "withdrawn" | "withdrawn copy";
const verdicts = { expired: "expired", withdrawn: "withdrawn", "withdrawn copy": "copy withdrawn" } as const;

/** By what visitors were shown, and by the dates that the documents have now: those of then may have changed. */
async function replayEnded(name: RuleOfEnded, { rules, timeZone, scans, raise }: Replay) {
  const pace = createPacer();
  // The same for all scans of a day.
  const decided = new Set<string>();
  for (const scan of scans) {
    await pace(1);
    if (scan.verdict !== verdicts[name] || decided.has(keyOf(scan))) continue;
    decided.add(keyOf(scan));
    const firstDay = firstDayOf(name, scan, timeZone);
    const known = firstDay !== undefined && firstDay <= scan.day ? firstDay : scan.day;
    if (!isLeftOut(rules[name], known, scan.day)) raise(scan);
  }
}

/** The day on which a scan's document or copy ended, as far as that is still known. */
function firstDayOf(name: RuleOfEnded, scan: ReplayedScan, timeZone: string) {
  const { expire_date, status_since, withdrawn_at } = scan;
  if (name === "expired")
    return expire_date === null ? undefined : firstDayEnded({ reason: "expired", since: expire_date });
  const at = name === "withdrawn" ? status_since : withdrawn_at;
  return at === null ? undefined : dateIn(timeZone, at);
}

import { setTimeout as wait } from "node:timers/promises";
import { type Selectable, sql, type Transaction } from "kysely";
import { minutesInMs, secondsInMs } from "#lib/units.ts";
import { rulesOf } from "../../alerts/rules/rules.ts";
import { ago } from "../../calendar/calendar.ts";
import { inCompanyTransaction } from "../../company/company-queries.ts";
import { isAmong } from "../../db/lists.ts";
import type { Db, Tables } from "../../db/tables.ts";
import type { Services } from "../../services.ts";
import { devicesBehind } from "./devices.ts";
import { burstOfScans, type Finding } from "./rules.ts";
import { markSuspicious, raiseTogether } from "./suspicion.ts";

/** Applies the rules to stored scans: what a process that was killed left is found by the next run. */

/** Bounds for how long a transaction holds the company. */
const batchSize = 50;

/** Rests this much longer than it works, so that a crowd's verdicts do not wait for rules, which catch up afterwards. */
const restFactor = 3;

/** How many scans of each device are read first: few come back within minutes. */
const scansOfDevice = 2;

/** Far more than the newest hundred devices that are counted have scanned in two hours. */
const maxScansInWindow = 5000;

/** So long one company's scans are judged before others' are: a crowd that never ends keeps no company's alerts back. */
const defaultTurnMs = secondsInMs(1);

export async function judgeScans(services: Services, signal: AbortSignal, turnMs: number = defaultTurnMs) {
  let hasMore = true;
  while (hasMore) {
    hasMore = false;
    for (const company of await companiesWithScans(services.db)) {
      const until = performance.now() + turnMs;
      let isFull: boolean;
      do {
        if (signal.aborted) return;
        const began = performance.now();
        isFull = (await judgeSome(services, company)) === batchSize;
        if (isFull) await wait((performance.now() - began) * restFactor);
      } while (isFull && performance.now() < until);
      hasMore ||= isFull;
    }
  }
}

/** Companies with queued scans, by one step in the index for each, as there may be many scans. */
async function companiesWithScans(db: Db): Promise<number[]> {
  const rows = await sql<{ company_id: number }>`
    with recursive queued (company_id) as (
      select min(company_id) from scans_to_judge
      union all
      select (select min(company_id) from scans_to_judge where company_id > queued.company_id)
      from queued where queued.company_id is not null
    )
    select company_id from queued where company_id is not null order by company_id`.execute(db);
  return rows.rows.map(({ company_id }) => company_id);
}

/** Looks at a company's next scans. Returns how many these were. */
function judgeSome(services: Services, companyId: number): Promise<number> {
  return inCompanyTransaction(services.db, companyId, async (transaction) => {
    const queued = await transaction
      .selectFrom("scans_to_judge")
      .where("company_id", "=", companyId)
      .orderBy("scan_id")
      .limit(batchSize)
      .selectAll()
      .execute();
    if (queued.length > 0) await judge(services, transaction, queued);
    return queued.length;
  });
}

type Scan = Selectable<Tables["scans"]>;
type Queued = Selectable<Tables["scans_to_judge"]>;

/** In one transaction with its alerts, so that each scan is judged once. */
async function judge(services: Services, db: Transaction<Tables>, queued: Queued[]) {
  const ids = queued.map(({ scan_id }) => scan_id);
  const times = queued.map(({ at }) => at).toSorted();
  const scans = await db
    .selectFrom("scans")
    .where(isAmong(db, "scans.id", ids))
    .where("at", ">=", times[0]!)
    .where("at", "<=", times.at(-1)!)
    .selectAll()
    .orderBy("id")
    .execute();
  const bursts = await burstsOf(db, scans);
  const foundBefore = new Map(queued.map(({ scan_id, findings }) => [scan_id, JSON.parse(findings) as Finding[]]));
  const suspicions = scans.flatMap((scan) => {
    const burst = bursts.get(scan.id);
    const findings = foundBefore.get(scan.id)!.map((finding) => ({ scan, finding, others: [] as number[] }));
    return burst ? [...findings, burst] : findings;
  });
  for (const same of Map.groupBy(suspicions, alertKey).values()) await raiseTogether(services, db, same);
  await markSuspicious(db, suspicions);
  await db
    .deleteFrom("scans_to_judge")
    .where(isAmong(db, "scan_id", ids))
    .execute();
}

type Found = { scan: Scan; finding: Finding; others: number[] };

/** One alert for each document, copy, rule and day. */
const alertKey = ({ scan, finding }: Found) => JSON.stringify([scan.document_id, scan.copy, finding.rule, scan.day]);

/** The bursts that scans of one company end, by scan. */
async function burstsOf(db: Db, scans: Scan[]): Promise<Map<number, Found>> {
  const bursts = new Map<number, Found>();
  const [first] = scans;
  if (!first) return bursts;
  const company = db.selectFrom("companies").where("id", "=", first.company_id).select("alert_rules");
  const { burst } = rulesOf(await company.executeTakeFirstOrThrow());
  if (!burst.enabled) return bursts;
  const windowMs = minutesInMs(burst.minutes);
  const copies = [...Map.groupBy(scans, copyKey).values()].map((ofCopy) => ({
    scans: ofCopy,
    limit: ofCopy.length + burst.devices * scansOfDevice,
  }));
  const aroundCopies = Map.groupBy(await scansAround(db, copies, windowMs), copyKey);
  for (const { scans: ofCopy, limit } of copies) {
    const around = aroundCopies.get(copyKey(ofCopy[0]!)) ?? [];
    let behind = devicesBehind(ofCopy, around, windowMs);
    // If a few devices reload, there may be more behind them.
    if (around.length === limit && behind.some(({ devices }) => devices.length < burst.devices)) {
      const all = await scansAround(db, [{ scans: ofCopy, limit: maxScansInWindow }], windowMs);
      behind = devicesBehind(ofCopy, all, windowMs);
    }
    for (const { scan, devices } of behind) {
      const finding = burstOfScans(devices.length, burst);
      if (finding) bursts.set(scan.id, { scan, finding, others: devices });
    }
  }
  return bursts;
}

const copyKey = ({ document_id, copy }: Pick<Scan, "document_id" | "copy">) => `${document_id} ${copy}`;

type Around = Pick<Scan, "id" | "document_id" | "copy" | "at" | "address_hash">;

/** The newest visitors' scans of copies that may be in one burst with some of each, in the order of their ids. */
async function scansAround(db: Db, copies: { scans: Scan[]; limit: number }[], windowMs: number): Promise<Around[]> {
  const scans: Around[] = [];
  // Apart, so that statements differ in nothing but the number of copies, and are prepared once.
  for (const alike of Map.groupBy(copies, ({ scans }) => scans[0]!.copy === null).values()) {
    const newest = alike.map(({ scans, limit }) => {
      const { document_id, copy } = scans[0]!;
      const times = scans.map(({ at }) => at).toSorted();
      return sql`select * from (
        select id, document_id, copy, at, address_hash from scans
        where document_id = ${document_id} and ${copy === null ? sql`copy is null` : sql`copy = ${copy}`}
          and staff = 0 and at > ${ago(new Date(times[0]!), windowMs)} and at <= ${times.at(-1)!}
        order by at desc limit ${limit}) as of_copy`;
    });
    scans.push(...(await sql<Around>`${sql.join(newest, sql` union all `)}`.execute(db)).rows);
  }
  return scans.toSorted((a, b) => a.id - b.id);
}

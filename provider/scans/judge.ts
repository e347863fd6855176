import { setTimeout as wait } from "node:timers/promises";
import { type Selectable, sql, type Transaction } from "kysely";
import { minutesInMs, secondsInMs } from "#units";
import { rulesOf } from "../alerts/rules.ts";
import { ago } from "../calendar.ts";
import { inCompanyTransaction } from "../db/company.ts";
import { isAmong } from "../db/lists.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { devicesBehind } from "./devices.ts";
import { burstOfScans, type Finding } from "./rules.ts";
import { markSuspicious, raiseTogether } from "./suspicion.ts";

/** Applies the rules to stored scans: what a process that was killed left is found by the next run. */

/** Bounds for how long a transaction holds the company. */
const batchSize = 50;

/** Rests this much longer than it works, so that a crowd's verdicts do not wait for rules, which catch up afterwards. */
const restFactor = 3;

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

/** Companies with scans that wait, by one step in the index for each, as a crowd's may be many. */
async function companiesWithScans(db: Db): Promise<number[]> {
  const found = await sql<{ company_id: number }>`
    with recursive queued (company_id) as (
      select min(company_id) from scans_to_judge
      union all
      select (select min(company_id) from scans_to_judge where company_id > queued.company_id)
      from queued where queued.company_id is not null
    )
    select company_id from queued where company_id is not null order by company_id`.execute(db);
  return found.rows.map(({ company_id }) => company_id);
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
  const found = scans.flatMap((scan) => {
    const burst = bursts.get(scan.id);
    const findings = foundBefore.get(scan.id)!.map((finding) => ({ scan, finding, others: [] as number[] }));
    return burst ? [...findings, burst] : findings;
  });
  for (const same of Map.groupBy(found, alertKey).values()) await raiseTogether(services, db, same);
  await markSuspicious(db, found);
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
  const found = new Map<number, Found>();
  const [first] = scans;
  if (!first) return found;
  const company = db.selectFrom("companies").where("id", "=", first.company_id).select("alert_rules");
  const { burst } = rulesOf(await company.executeTakeFirstOrThrow());
  if (!burst.enabled) return found;
  const windowMs = minutesInMs(burst.minutes);
  const ofCopies = Map.groupBy(scans, copyKey);
  const aroundAll = await scansAround(db, scans, windowMs);
  const isWhole = aroundAll.length < maxScansInWindow;
  const aroundCopies = Map.groupBy(aroundAll, copyKey);
  for (const [key, ofCopy] of ofCopies) {
    const around = isWhole ? aroundCopies.get(key)! : await scansAround(db, ofCopy, windowMs);
    const ofThis = around.filter((scan) => copyKey(scan) === key);
    for (const { scan, devices } of devicesBehind(ofCopy, ofThis, windowMs)) {
      const finding = burstOfScans(devices.length, burst);
      if (finding) found.set(scan.id, { scan, finding, others: devices });
    }
  }
  return found;
}

const copyKey = ({ document_id, copy }: Pick<Scan, "document_id" | "copy">) => `${document_id} ${copy}`;

/** The visitors' scans of some scans' documents that may be in one burst with these, the newest where there are many. */
async function scansAround(db: Db, scans: Scan[], windowMs: number) {
  const times = scans.map(({ at }) => at).toSorted();
  const documents = [...new Set(scans.map(({ document_id }) => document_id))];
  const rows = await db
    .selectFrom("scans")
    .where(isAmong(db, "document_id", documents))
    .where("staff", "=", 0)
    .where("at", ">", ago(new Date(times[0]!), windowMs))
    .where("at", "<=", times.at(-1)!)
    .orderBy("at", "desc")
    .limit(maxScansInWindow)
    .select(["id", "document_id", "copy", "at", "address_hash"])
    .execute();
  return rows.toSorted((a, b) => a.id - b.id);
}

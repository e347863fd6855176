import { sql } from "kysely";
import { byId, isAmong } from "../lists.ts";
import type { Db } from "../tables.ts";
import { countDocuments } from "../reach-counters.ts";
import { countedDocuments } from "./day-counters.ts";
import { expiryScan, type ListPlan, newestFirst, scanOf } from "./plan.ts";
import { countMatches } from "./range-scan.ts";
import { countMatching } from "./text-index.ts";

/** How many documents a list has; capped where there are more than `total`. `collected` holds every match, if given. */
export async function countList(db: Db, plan: ListPlan, collected: number[] | undefined) {
  if (plan.isCountedByDay) return exactly(await countedDocuments(db, plan));
  if (collected) return exactly(await countCollected(db, plan, collected));
  if (plan.isCountedByReach) return cappedAt(plan.tuning.countLimit, await countDocuments(db, plan.condition));
  const { sortLimit, countLimit } = plan.tuning;
  // Without a residual condition, or in the newest documents alone, there are more than could be collected.
  const isMore = plan.textMatch ? !plan.textResidual : plan.isShortText && !plan.expiry;
  if (isMore) return cappedAt(sortLimit, Infinity);
  const limit = plan.textMatch ? sortLimit : countLimit;
  return cappedAt(limit, await countTo(db, plan, limit + 1));
}

const exactly = (total: number) => ({ total, isCapped: false });

const cappedAt = (limit: number, total: number) => (total > limit ? { total: limit, isCapped: true } : exactly(total));

async function countCollected(db: Db, { condition, textMatch, textResidual }: ListPlan, collected: number[]) {
  // A range scan has checked them.
  if (collected.length === 0 || !textMatch || !textResidual) return collected.length;
  const isMatch = sql.join([isAmong(db, "documents.id", collected), condition], sql` and `);
  const counted = sql<{ count: number }>`select count(*) as count from ${byId(db, "documents")} where ${isMatch}`;
  return (await counted.execute(db)).rows[0]!.count;
}

async function countTo(db: Db, plan: ListPlan, limit: number): Promise<number> {
  const { textMatch, textResidual, isNarrow, expiry } = plan;
  if (expiry) return countMatches(db, expiryScan(plan, expiry), limit);
  if (textMatch && textResidual && !isNarrow) return countMatching(db, textMatch, textResidual, limit);
  return countMatches(db, scanOf(plan, newestFirst), limit);
}

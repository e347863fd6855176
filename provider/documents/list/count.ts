import type { Db } from "../../db/tables.ts";
import { countedDocuments } from "./day-counters.ts";
import { expiryScan, type ListPlan, newestFirst, scanOf } from "./plan.ts";
import { countMatches } from "./range-scan.ts";
import { countMatching } from "./text-index.ts";

/** How many documents a list has; capped if there are more than `total`. `collected` are all matches, if they are known. */
export async function countList(db: Db, plan: ListPlan, collected: unknown[] | undefined) {
  if (plan.isCountedByDay) return exactly(await countedDocuments(db, plan));
  if (collected) return exactly(collected.length);
  const { sortLimit, textCountLimit, countLimit } = plan.tuning;
  // Without a residual condition, or in the newest documents alone, there are more than could be collected.
  const isMore = plan.textMatch ? !plan.textResidual : plan.isShortText && !plan.expiry;
  if (isMore) return cappedAt(sortLimit, Infinity);
  const limit = plan.textMatch ? textCountLimit : countLimit;
  return cappedAt(limit, await countTo(db, plan, limit + 1));
}

const exactly = (total: number) => ({ total, isCapped: false });

const cappedAt = (limit: number, total: number) => (total > limit ? { total: limit, isCapped: true } : exactly(total));

async function countTo(db: Db, plan: ListPlan, limit: number): Promise<number> {
  const { textMatch, textResidual, isNarrow, expiry } = plan;
  if (expiry) return countMatches(db, expiryScan(plan, expiry), limit);
  if (textMatch && textResidual && !isNarrow) return countMatching(db, textMatch, textResidual, limit);
  return countMatches(db, scanOf(plan, newestFirst), limit);
}

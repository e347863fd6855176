import { sql } from "kysely";
import type { Actor } from "../../access.ts";
import { dateIn } from "../../calendar/calendar.ts";
import { byId, isAmong } from "../../db/lists.ts";
import type { Db } from "../../db/tables.ts";
import { mailedIds } from "../../recipients/recipient-queries.ts";
import { countList } from "./count.ts";
import { type PageQuery, readPage } from "./page.ts";
import { endAtNewest, expiryScan, type Filters, type ListPlan, newestFirst, planList, scanOf } from "./plan.ts";
import { firstMatches, type Match, type RangeScan } from "./range-scan.ts";
import { type ListOrder, parseSort, type Sort } from "./sort.ts";
import { matchingIds } from "./text-index.ts";
import { type Tuning, tuningFor } from "./tuning.ts";

/** `today` is the day by which documents have expired. */
type ListOptions = { order?: ListOrder | undefined; today?: string; tuning?: Partial<Tuning> };

export type DocumentList = Awaited<ReturnType<typeof documentList>>;

/** The documents that match an actor's filters, in an order such as `-date`. The strategy: `docs/document-list.md`. */
export async function documentList(db: Db, actor: Actor, filters: Filters, options: ListOptions = {}) {
  const { order = "-date", today = dateIn(actor.timezone, new Date()), tuning } = options;
  const whole = await planList(db, actor, { ...filters, today }, { ...tuningFor(db), ...tuning });
  const plan = whole.isShortText ? await endAtNewest(db, whole) : whole;
  const sort = parseSort(order);
  const collected = await collectMatches(db, plan, sort);
  return {
    /** Whether older documents were left out of the search. */
    isPartial: plan.oldest !== undefined,
    total: () => countList(db, plan, collected),
    part: (query: PageQuery) => readPage(db, { plan, sort, collected }, query),
  };
}

/** All matches; undefined if there are too many to be worth sorting. */
async function collectMatches(db: Db, plan: ListPlan, { by }: Sort): Promise<Match[] | undefined> {
  const { companyId, mail, textMatch, isShortText, isNarrow, from, to, expiry } = plan;
  // Documents that expire soon lie far back in the list's order, where a range scan finds them late.
  const sortLimit = expiry?.from ? plan.tuning.countLimit : plan.tuning.sortLimit;
  const isWithin = <Found>(matches: Found[]) => (matches.length <= sortLimit ? matches : undefined);
  const matchesIn = async (scan: RangeScan) => isWithin(await firstMatches(db, scan, sortLimit + 1));
  if (mail) {
    const ids = isWithin(await mailedIds(db, companyId, mail, sortLimit + 1));
    if (ids) return matchesAmong(db, plan, ids);
  }
  // One day has fewer documents than a common word.
  const isTextOnDay = textMatch !== undefined && from !== undefined && from === to;
  if (textMatch && !isTextOnDay) {
    const ids = isWithin(await matchingIds(db, textMatch, sortLimit + 1));
    if (ids) return matchesAmong(db, plan, ids);
  }
  if (expiry) return matchesIn(expiryScan(plan, expiry));
  const isByDate = "column" in by && by.column === "date";
  if (!isShortText && !isTextOnDay && (isByDate || !isNarrow)) return undefined;
  return matchesIn(scanOf(plan, newestFirst));
}

/** Which of the ids that the text index found match. */
async function matchesAmong(db: Db, { condition, textResidual }: ListPlan, ids: number[]): Promise<Match[]> {
  if (ids.length === 0 || !textResidual) return ids.map((id) => ({ id }));
  const isMatch = sql.join([isAmong(db, "documents.id", ids), condition], sql` and `);
  return (await sql<Match>`select id, date from ${byId(db, "documents")} where ${isMatch}`.execute(db)).rows;
}

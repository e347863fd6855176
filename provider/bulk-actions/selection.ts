import type { Actor } from "../access.ts";
import { type BulkCheck, type BulkNoun, type BulkRowState, maxBulkRows } from "../contract/bulk-actions.ts";
import { invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import type { BulkRecord, ActParameters, Verdict } from "./record-kind.ts";
import { actOf, recordKindOf } from "./record-kinds.ts";

export type Selection = { ids: number[]; all: boolean; filters: string };

/** The ids of the selected records, in the list's order. Throws 422 if there are none or too many. */
export async function selectedIds(services: Services, actor: Actor, noun: BulkNoun, selection: Selection) {
  const limit = services.maxBulkRows ?? maxBulkRows;
  const ids = selection.all
    ? await recordKindOf(noun).matching(services, actor, new URLSearchParams(selection.filters), limit + 1)
    : selection.ids;
  if (ids.length > limit) {
    const tooMany = `More than ${limit.toLocaleString("en-GB")} ${noun} are selected: narrow the filters`;
    throw invalid({ [selection.all ? "filters" : "ids"]: tooMany });
  }
  if (ids.length === 0) {
    throw invalid({ [selection.all ? "filters" : "ids"]: selection.all ? nothingMatches : `Select the ${noun} first` });
  }
  return ids;
}

const nothingMatches = "Nothing matches the filters any more";

/** The selected records that the actor may read, by id. */
export async function readableRecords({ db }: Services, actor: Actor, noun: BulkNoun, ids: number[]) {
  return new Map((await recordKindOf(noun).records(db, actor, "read", ids)).map((row) => [row.id, row]));
}

type CheckedAct = { noun: BulkNoun; act: string; parameters: ActParameters };

/** The outcome of an act on the records now. */
export async function checkAct(
  services: Services,
  actor: Actor,
  judged: CheckedAct,
  ids: number[],
): Promise<BulkCheck> {
  const { noun, act, parameters } = judged;
  const changeable = await recordKindOf(noun).records(services.db, actor, "write", ids);
  const verdicts = changeable.map((row: BulkRecord) => actOf(noun, act).judge(row, parameters, actor));
  const beyond = Array.from({ length: ids.length - changeable.length }, () => outOfReach);
  const against = [...verdicts, ...beyond].filter((verdict) => verdict !== undefined);
  return { total: ids.length, ready: ids.length - against.length, reasons: grouped(against) };
}

const outOfReach: Verdict = { state: "refused", reason: "You may not change it, or it is gone" };

function grouped(verdicts: { state: BulkRowState; reason: string }[]): BulkCheck["reasons"] {
  const counts = new Map<string, BulkCheck["reasons"][number]>();
  for (const { state, reason } of verdicts) {
    const key = `${state} ${reason}`;
    counts.set(key, { state, reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
}

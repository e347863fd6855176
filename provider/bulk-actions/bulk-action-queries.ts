import { ago } from "../calendar/calendar.ts";
import { daysInMs } from "#lib/units.ts";
import type { Actor } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import type { BulkAction } from "../contract/bulk-actions.ts";
import type { Db } from "../db/tables.ts";
import { notFound } from "../http/errors.ts";
import { namesOf } from "./input.ts";
import type { ActParameters } from "./record-kind.ts";
import { actOf } from "./record-kinds.ts";

/** One of the actor's own actions. Throws 404. */
export async function findBulkAction(db: Db, actor: Pick<Actor, "id" | "company_id">, id: number) {
  const actions = db.selectFrom("bulk_actions").where("id", "=", id).where("company_id", "=", actor.company_id);
  const action = await actions.where("user_id", "=", actor.id).selectAll().executeTakeFirst();
  if (!action) throw notFound();
  const undoing = db.selectFrom("bulk_actions").where("undo_of", "=", id).select("id");
  const undone_by = (await undoing.executeTakeFirst())?.id ?? null;
  const counts = await db
    .selectFrom("bulk_action_rows")
    .where("bulk_action_id", "=", id)
    .groupBy(["state", "reason"])
    .select(["state", "reason", (eb) => eb.fn.countAll<number>().as("count")])
    .execute();
  const isDone = counts.some(({ state }) => state === "done");
  const isUndoable = action.undo_of === null && actOf(action.noun, action.act).reverse !== undefined;
  const names = await namesOf(db, actor.company_id, JSON.parse(action.parameters) as ActParameters);
  return {
    ...action,
    names,
    counts,
    undone_by,
    may_undo: action.finished_at !== null && isDone && isUndoable && !undone_by,
  };
}

/** An action in the contract's form. */
export function asBulkAction(action: Awaited<ReturnType<typeof findBulkAction>>): Complete<typeof BulkAction> {
  const { names, counts, parameters, company_id: _, user_id: __, key: ___, ...row } = action;
  const { group = "", note = "", outcome = "" } = JSON.parse(parameters) as ActParameters;
  const sum = (...states: string[]) =>
    counts.filter(({ state }) => states.includes(state)).reduce((total, { count }) => total + Number(count), 0);
  const reasons = counts.filter(({ reason }) => reason !== "").map((one) => ({ ...one, count: Number(one.count) }));
  return {
    ...row,
    group,
    note,
    outcome,
    ...names,
    total: sum("waiting", "done", "skipped", "refused"),
    waiting: sum("waiting"),
    done: sum("done"),
    skipped: sum("skipped"),
    refused: sum("refused"),
    reasons: reasons.toSorted((a, b) => b.count - a.count),
  };
}

const retentionMs = daysInMs(90);

/** Deletes actions that ended long ago; the audit trail has what they changed. */
export const deleteOldBulkActions = (db: Db, now: Date) =>
  db.deleteFrom("bulk_actions").where("finished_at", "<", ago(now, retentionMs)).execute();

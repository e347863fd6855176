import type { Actor, Caller } from "../access.ts";
import type { BulkNoun } from "../contract/bulk-actions.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { requireProof } from "../sessions/proof.ts";
import { type BulkInput, parametersOf } from "./input.ts";
import type { ActParameters } from "./record-kind.ts";
import { actOf } from "./record-kinds.ts";
import { readableRecords, selectedIds, type Selection } from "./selection.ts";

/** Stores bulk actions, whose rows a job then works on (`run-bulk-action.ts`). */

type Order = Selection & BulkInput & { act: string; expected?: number | undefined; key: string };

/** Stores an action with its rows and returns its id. Throws 409 if another number of records is selected than expected. */
export async function startBulkAction(
  services: Services,
  { actor, caller }: { actor: Actor; caller: Caller },
  noun: BulkNoun,
  order: Order,
): Promise<number> {
  const { act, expected, key } = order;
  const parameters = await parametersOf(services.db, actor, actOf(noun, act), order);
  const ids = await selectedIds(services, actor, noun, order);
  const records = await readableRecords(services, actor, noun, ids);
  return inCallerTransaction(services, caller, async (transaction, current) => {
    const { id: user_id, company_id } = current;
    if (actOf(noun, act).needsProof) requireProof(current, services.now());
    const before = key && (await withKey(transaction, user_id, key));
    if (before && (before.noun !== noun || before.act !== act)) throw conflict("This key is of another action");
    if (before) return before.id;
    if (expected !== undefined && expected !== ids.length) {
      throw conflict(
        `${ids.length} ${noun} are selected now instead of ${expected}: check the number and confirm again`,
      );
    }
    await limitUnfinished(transaction, company_id);
    const action = { company_id, user_id, noun, act, parameters, key: key || null, undo_of: null };
    // A record out of reach gets no name, and is refused like a missing one.
    const rows = ids.map((id) => ({ record_id: id, label: records.get(id)?.label ?? `No. ${id}` }));
    return insertAction(transaction, action, rows, services.now());
  });
}

const withKey = (db: Db, user_id: number, key: string) =>
  db
    .selectFrom("bulk_actions")
    .where("user_id", "=", user_id)
    .where("key", "=", key)
    .select(["id", "noun", "act"])
    .executeTakeFirst();

const maxUnfinished = 20;

async function limitUnfinished(db: Db, company_id: number) {
  const unfinished = db
    .selectFrom("bulk_actions")
    .where("company_id", "=", company_id)
    .where("finished_at", "is", null);
  if ((await unfinished.select("id").limit(maxUnfinished).execute()).length < maxUnfinished) return;
  throw conflict("Your company has many bulk actions under way: wait until one is finished");
}

type NewAction = {
  company_id: number;
  user_id: number;
  noun: BulkNoun;
  act: string;
  parameters: ActParameters;
  key: string | null;
  undo_of: number | null;
};

type NewRow = { record_id: number; label: string; given?: string; expected_version?: number };

/** Below the number of values that a statement may have. */
const rowsPerInsert = 1000;

async function insertAction(db: Db, { parameters, ...action }: NewAction, rows: NewRow[], now: Date) {
  const stored = {
    ...action,
    parameters: JSON.stringify(parameters),
    created_at: now.toISOString(),
    finished_at: null,
  };
  const { id } = await db.insertInto("bulk_actions").values(stored).returning("id").executeTakeFirstOrThrow();
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    const values = rows.slice(at, at + rowsPerInsert).map(({ given = "{}", expected_version, ...row }) => ({
      bulk_action_id: id,
      ...row,
      state: "waiting" as const,
      given,
      expected_version: expected_version ?? null,
      version_after: null,
    }));
    await db.insertInto("bulk_action_rows").values(values).execute();
  }
  return id;
}

/** Stores the action that reverses another one on the rows that were done. Throws 409 if it can't be reversed. */
export function startUndo(services: Services, caller: Caller, find: (db: Db) => Promise<Undone>): Promise<number> {
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    const { id, company_id, user_id, noun, act, may_undo } = await find(transaction);
    const reverse = actOf(noun, act).reverse;
    if (!may_undo || !reverse)
      throw conflict("This can’t be undone: it is not finished, was undone before, or has no reverse");
    if (actOf(noun, reverse.act).needsProof) requireProof(actor, services.now());
    const done = await transaction
      .selectFrom("bulk_action_rows")
      .where("bulk_action_id", "=", id)
      .where("state", "=", "done")
      .orderBy("id")
      .select(["record_id", "label", "before", "version_after"])
      .execute();
    const rows = done.map(({ before, version_after, ...row }) => ({
      ...row,
      given: before,
      expected_version: version_after ?? 0,
    }));
    const action = { company_id, user_id, noun, act: reverse.act, parameters: {}, key: null, undo_of: id };
    return insertAction(transaction, action, rows, services.now());
  });
}

type Undone = { id: number; company_id: number; user_id: number; noun: BulkNoun; act: string; may_undo: boolean };

import { storageFailureOf } from "#lib/storage/database/failures.ts";
import { takeTurnsByCompany } from "../company/take-turns.ts";
import type { Actor, Caller } from "../access.ts";
import { activeActor } from "../db/actors.ts";
import type { Db, Tables } from "../db/tables.ts";
import { HttpError, notFound, unauthorized } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { enqueueEvent } from "../webhooks/enqueue.ts";
import { type ActParameters, reasonOf, type Verdict } from "./record-kind.ts";
import { actOf, recordKindOf } from "./record-kinds.ts";

/** Works on the rows of bulk actions, each in the transaction of its own change, so that none is done twice. */

type Action = Pick<Tables["bulk_actions"], "company_id" | "user_id" | "noun" | "act" | "parameters"> & { id: number };
type Row = { id: number; record_id: number; given: string; expected_version: number | null };

/** How long an action is worked on within the request that begins it. */
const inRequestMs = 1000;
const rowsAtOnce = 50;

/** Works on an action for about a second, and leaves the rest to the job. */
export async function runAtOnce(services: Services, id: number) {
  const until = performance.now() + (services.bulkInRequestMs ?? inRequestMs);
  if (!(await runBulkAction(services, id, () => performance.now() < until))) services.nudgeBulkActions?.();
}

/** Works on unfinished actions, companies in turn. */
export async function runUnfinished(services: Services, signal: AbortSignal) {
  await takeTurnsByCompany({
    signal,
    next: () => oldestOfEachCompany(services.db),
    async work({ id }) {
      let rows = rowsAtOnce;
      await runBulkAction(services, id, () => !signal.aborted && rows-- > 0);
      return !signal.aborted;
    },
  });
}

const oldestOfEachCompany = (db: Db) =>
  db
    .selectFrom("bulk_actions")
    .where("finished_at", "is", null)
    .groupBy("company_id")
    .select((eb) => eb.fn.min("id").as("id"))
    .execute();

/** Works on an action's waiting rows while `goesOn`. Returns whether none is left. */
async function runBulkAction(services: Services, id: number, goesOn: () => boolean): Promise<boolean> {
  const { db } = services;
  const action = await db.selectFrom("bulk_actions").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  for (;;) {
    const rows = await db
      .selectFrom("bulk_action_rows")
      .where("bulk_action_id", "=", id)
      .where("state", "=", "waiting")
      .orderBy("id")
      .limit(rowsAtOnce)
      .select(["id", "record_id", "given", "expected_version"])
      .execute();
    for (const row of rows) {
      if (!goesOn()) return false;
      await runRow(services, action, row);
    }
    if (rows.length > 0) continue;
    await finish(services, action);
    return true;
  }
}

/** Once, by whichever process is first. */
async function finish(services: Services, { id, company_id }: Action) {
  const at = services.now();
  await services.db.transaction().execute(async (transaction) => {
    const unfinished = transaction.updateTable("bulk_actions").where("id", "=", id).where("finished_at", "is", null);
    const { numUpdatedRows } = await unfinished.set({ finished_at: at.toISOString() }).executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const event = { data: { bulk_action_id: id }, company_id, at };
    await enqueueEvent(services, transaction, { type: "bulk.finished", ...event });
  });
}

/** Ends a row's transaction without its change. */
class Left extends Error {
  readonly verdict: Verdict;
  constructor(verdict: Verdict) {
    super(verdict?.reason);
    this.verdict = verdict;
  }
}

async function runRow(services: Services, action: Action, row: Row) {
  const { db, log } = services;
  const leave = ({ state, reason }: NonNullable<Verdict>) =>
    db
      .updateTable("bulk_action_rows")
      .set({ state, reason })
      .where("id", "=", row.id)
      .where("state", "=", "waiting")
      .execute();
  try {
    await change(services, action, row);
  } catch (error) {
    // Another process has done the row.
    if (error instanceof Left) return error.verdict && void (await leave(error.verdict));
    if (error instanceof HttpError) return void (await leave({ state: "refused", reason: reasonOf(error) }));
    if (storageFailureOf(error)) throw error;
    log.error({ err: error, action: action.id, record: row.record_id }, "a record of a bulk action failed");
    await leave({ state: "refused", reason: "Something went wrong on our side" });
  }
}

/** Changes one record by its own function, and marks the row in the same transaction. */
async function change(services: Services, action: Action, row: Row) {
  const { company_id, user_id: user, noun, act } = action;
  const { area, records } = recordKindOf(noun);
  const { judge, perform, reverse } = actOf(noun, act);
  const parameters = { ...JSON.parse(action.parameters), ...JSON.parse(row.given) } as ActParameters;
  const actor = await activeActor(services.db, user);
  if (!actor) throw unauthorized();
  const recordIn = async (db: Db, who: Actor) => (await records(db, who, "write", [row.record_id]))[0];
  const around: NonNullable<Caller["job"]>["around"] = async (transaction, who, work) => {
    const mark = (values: object) =>
      transaction.updateTable("bulk_action_rows").set(values).where("id", "=", row.id).where("state", "=", "waiting");
    const before = await recordIn(transaction, who);
    if (before && row.expected_version !== null && before.version !== row.expected_version) {
      throw new Left({ state: "refused", reason: "It was changed since: left as it is" });
    }
    const verdict = before && judge(before, parameters, who);
    if (verdict) throw new Left(verdict);
    const { numUpdatedRows } = await mark({ state: "done" }).executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Left(undefined);
    const result = await work();
    if (!before) throw notFound();
    if (noun === "documents" && typeof result === "number") {
      const held = transaction.updateTable("bulk_action_rows").where("id", "=", row.id);
      await held.set({ state: "skipped", reason: "It awaits release by another user" }).execute();
      return result;
    }
    // Read without checking rights, as the change may have removed the user's own.
    const changed = transaction
      .selectFrom(noun as "documents")
      .where("id", "=", row.record_id)
      .select("version");
    const { version: version_after } = await changed.executeTakeFirstOrThrow();
    const reversal = JSON.stringify(reverse?.parametersFrom?.(before) ?? {});
    const marked = transaction.updateTable("bulk_action_rows").where("id", "=", row.id);
    await marked.set({ version_after, before: reversal }).execute();
    return result;
  };
  const caller: Caller = { company_id, session: "", access: { area, right: "write" }, job: { user, around } };
  await perform(services, { actor, caller }, row.record_id, parameters);
}

import { sql, type Transaction, type Updateable } from "kysely";
import type { z } from "zod";
import { storageFailureOf } from "#lib/storage/database/failures.ts";
import { takeTurnsByCompany } from "../company/take-turns.ts";
import { secondsInMs } from "#lib/units.ts";
import type { Caller } from "../access.ts";
import { addBranch, changeBranch } from "../branches/change-branch.ts";
import type { createBranch, updateBranch } from "../contract/branches.ts";
import type { ImportKind, ImportRowState } from "../contract/imports.ts";
import type { createUser, updateUser } from "../contract/users.ts";
import type { Db, Tables } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { requireProof } from "../sessions/proof.ts";
import { addUser, changeUser } from "../users/change-user.ts";
import { userLimits } from "../users/limits.ts";
import { findImport, keptMs } from "./imports.ts";
import { messagesOf } from "./preview.ts";

/** Applying an import: each row is one transaction, of the change, its audit entry and the row's own state. */

/** Schedules the application of an import. Throws 404, 409 if that was done before, and 403 without a required proof. */
export async function startImport(services: Services, caller: Caller, id: number) {
  const { now, files } = services;
  const table_key = await inCallerTransaction(services, caller, async (transaction, actor) => {
    const { status, file, needs_proof, table_key } = await findImport(transaction, actor, id, now());
    if (status !== "ready") throw conflict(`${file} is being applied, or was applied before`);
    if (needs_proof) requireProof(actor, now());
    await requireFewRunning(transaction, actor.id);
    const expires_at = new Date(now().getTime() + keptMs.running).toISOString();
    const running = { status: "running", expires_at, table_key: null } as const;
    await transaction.updateTable("imports").set(running).where("id", "=", id).execute();
    return table_key;
  });
  if (table_key) await files.remove(table_key);
  services.nudgeImports();
}

const maxRunning = 5;

async function requireFewRunning(db: Db, userId: number) {
  const running = db.selectFrom("imports").where("user_id", "=", userId).where("status", "=", "running");
  if ((await running.select("id").execute()).length < maxRunning) return;
  throw conflict(`${maxRunning} imports of yours are being applied. Wait until one of them is done`);
}

/** Applies running imports, a row of each in turn, until all are done or wait for a limit. */
export async function applyImports(services: Services, signal: AbortSignal) {
  const waiting = new Set<number>();
  const limits = userLimits(services);
  await takeTurnsByCompany({
    signal,
    next: async () => (await runningImports(services.db)).filter(({ id }) => !waiting.has(id)),
    async work(one) {
      const row = await nextRow(services.db, one.id);
      if (!row) {
        await update(services.db, one.id, { status: "done", ...noWait });
        return true;
      }
      const limit = await applyRow(services, limits, one, row);
      if (limit) {
        waiting.add(one.id);
        await update(services.db, one.id, waitFor(limit, services.now()));
      } else if (one.waiting) await update(services.db, one.id, noWait);
      return true;
    },
  });
}

const update = (db: Db, id: number, to: Updateable<Tables["imports"]>) =>
  db.updateTable("imports").set(to).where("id", "=", id).execute();

const noWait = { waiting: "", waits_until: "" };

/** A waiting import is retained while it waits, and for some days after. */
function waitFor({ message, retryAfter = 0 }: HttpError, now: Date) {
  const until = now.getTime() + secondsInMs(retryAfter);
  return {
    // The page says when.
    waiting: message.replace(/\. Try again in .*$/, ""),
    waits_until: new Date(until).toISOString(),
    expires_at: new Date(until + keptMs.running).toISOString(),
  };
}

const runningImports = (db: Db) =>
  db
    .selectFrom("imports")
    .where("status", "=", "running")
    .orderBy("id")
    .select(["id", "company_id", "user_id", "kind", "waiting"])
    .execute();

const nextRow = (db: Db, importId: number) =>
  db
    .selectFrom("import_rows")
    .where("import_id", "=", importId)
    // SQLite uses the index of pending rows only if the statement itself has its condition.
    .where(sql<boolean>`"state" in ('new', 'changed')`)
    .orderBy("id")
    .selectAll()
    .executeTakeFirst();

type Running = { id: number; company_id: number; user_id: number; kind: ImportKind };
type Row = NonNullable<Awaited<ReturnType<typeof nextRow>>>;
type Limits = ReturnType<typeof userLimits>;

/** Applies a row or stores why not. Returns the refusal of the limit for which the import has to wait. */
async function applyRow(services: Services, limits: Limits, one: Running, row: Row): Promise<HttpError | undefined> {
  const { company_id, user_id, kind } = one;
  const caller: Caller = {
    company_id,
    session: "",
    access: { area: kind, right: row.record_id === null ? "create" : "write" },
    job: {
      user: user_id,
      async around(transaction, _, work) {
        const result = await work();
        const isLeft = await setState(transaction, row, { state: row.record_id === null ? "added" : "saved" });
        // Rolls the change back.
        if (!isLeft) throw new Error("Another process applied the row");
        return result;
      },
    },
  };
  try {
    await save({ services, limits, caller, actor: { id: user_id, company_id } }, kind, row);
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return error;
    if (!(error instanceof HttpError)) {
      if (storageFailureOf(error)) throw error;
      services.log.error({ err: error, import: one.id }, "a row could not be imported");
    }
    await setState(services.db, row, { state: "refused", why: reasonOf(kind, error) });
  }
  return undefined;
}

/** Returns false if another process did so first. */
async function setState(db: Db | Transaction<Tables>, { id }: Row, to: { state: ImportRowState; why?: string }) {
  const pending = db.updateTable("import_rows").where("id", "=", id).where("state", "in", ["new", "changed"]);
  const { numUpdatedRows } = await pending.set({ ...to, given: null }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

function reasonOf(kind: ImportKind, error: unknown) {
  if (!(error instanceof HttpError)) return "This could not be saved. Import the row again later";
  if (error.status === 401) return "You can’t sign in any more";
  return error.errors ? messagesOf(kind, error.errors) : error.message;
}

type Saving = {
  services: Services;
  limits: Limits;
  caller: Caller;
  actor: { id: number; company_id: number };
};

/** As the single calls do. */
async function save({ services, limits, caller, actor }: Saving, kind: ImportKind, { record_id, given }: Row) {
  const body: unknown = JSON.parse(given!);
  if (kind === "branches") {
    if (record_id === null) return addBranch(services, caller, body as z.output<typeof createBranch.body>, {});
    return changeBranch(services, caller, record_id, { input: body as z.output<typeof updateBranch.body>, image: {} });
  }
  const user = body as z.output<typeof updateUser.body>;
  if (record_id !== null) {
    const change = () => changeUser(services, caller, record_id, { input: user, image: {} });
    return limits.changingUser(services.db, actor, { id: record_id, input: user }, change);
  }
  const add = () => addUser(services, caller, body as z.output<typeof createUser.body>, {});
  return limits.inviting(actor, user.email, () => limits.assigningEmail(actor, add));
}

import type { z } from "zod";
import { isUniqueViolation } from "#lib/storage/database/dialect.ts";
import { fold, foldEmail } from "#lib/text.ts";
import {
  type Actor,
  branchesWithin,
  type Caller,
  isAdministrator,
  mayAssignBranch,
  scopeOf,
  usersWithin,
} from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { createBranch, updateBranch } from "../contract/branches.ts";
import { audit, deactivated, staleConflict } from "../audit/audit-queries.ts";
import { branchRows } from "./branch-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { userRows } from "../users/user-queries.ts";
import { type ImageChange, imageAudit } from "../files/images.ts";
import { conflict, forbidden, invalid, findReachable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { mayImpersonateAt } from "../users/rights.ts";
import { auditMove } from "./moves.ts";
import { removalBlockers } from "./removal-blockers.ts";

/** Adding, changing and removing branches, and moving users to them. Each is one transaction with its audit entry. */

type NewBranch = z.output<typeof createBranch.body>;
type BranchChange = z.output<typeof updateBranch.body>;

/** Adds a branch and returns its id. Needs the right for the whole company. */
export async function addBranch(
  services: Services,
  caller: Caller,
  input: NewBranch,
  image: ImageChange,
): Promise<number> {
  const { now } = services;
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    if (scopeOf(actor, "branches", "create") !== "company") throw forbidden();
    const { columns, auditValues } = await branchColumns(transaction, actor, input);
    const row = { ...columns, company_id: actor.company_id, image_key: null, ...image, active: 1, version: 1 };
    const { id } = await transaction.insertInto("branches").values(row).returning("id").executeTakeFirstOrThrow();
    const subject = { entity: "branch", id, name: input.name } as const;
    await audit(transaction, {
      actor,
      action: "added",
      subject,
      at: now(),
      after: { ...auditValues, ...imageAudit(image) },
    });
    return id;
  }).catch(rethrowNameTaken);
}

type BranchForm = { input: BranchChange; image: ImageChange };

/** Changes a branch in the scope of the actor's right. */
export async function changeBranch(services: Services, caller: Caller, id: number, { input, image }: BranchForm) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findBranch(transaction, actor, id, "write");
    if (input.version !== undefined && input.version !== before.version) {
      throw await staleConflict(transaction, actor, "branch", id);
    }
    const { columns, auditValues } = await branchColumns(transaction, actor, input, before);
    const change = { ...columns, ...image, version: before.version + 1 };
    await transaction.updateTable("branches").set(change).where("id", "=", id).execute();
    const subject = { entity: "branch", id, name: input.name } as const;
    const shownBefore = { ...before, manager: before.manager ?? "" };
    await audit(transaction, {
      actor,
      action: "changed",
      subject,
      at: now(),
      before: shownBefore,
      after: { ...auditValues, ...imageAudit(image) },
    });
  }).catch(rethrowNameTaken);
}

/** Deactivates a branch without users and current documents. Archived documents still name it. */
export async function removeBranch(services: Services, caller: Caller, id: number) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findBranch(transaction, actor, id, "write");
    const blockers = await removalBlockers(transaction, actor, id);
    if (blockers) throw conflict(`${before.name} can’t be removed yet. ${blockers}`);
    const change = { active: 0, version: before.version + 1 };
    await transaction.updateTable("branches").set(change).where("id", "=", id).execute();
    await audit(transaction, {
      actor,
      action: "removed",
      subject: { entity: "branch", id, name: before.name },
      at: now(),
      ...deactivated,
    });
  });
}

/** Moves a user, named by id, email or name, to a branch. Returns their id. */
export async function moveToBranch(services: Services, caller: Caller, id: number, wanted: string): Promise<number> {
  const { now } = services;
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    const branch = await findBranch(transaction, actor, id, "read");
    if (!mayAssignBranch(actor, id)) throw forbidden();
    const user = await findUserByText(transaction, actor, wanted, "write");
    if ("refusal" in user) throw invalid({ user: user.refusal });
    if (user.branch_id === id) return user.id;
    const isMore =
      (await mayImpersonateAt(services, transaction, actor, user)) &&
      !(await mayImpersonateAt(services, transaction, actor, { ...user, branch_id: id }));
    if ((user.id === actor.id && !isAdministrator(actor)) || isMore) throw forbidden();
    const change = { branch_id: id, version: user.version + 1 };
    await transaction.updateTable("users").set(change).where("id", "=", user.id).execute();
    await audit(transaction, {
      actor,
      action: "changed",
      subject: { entity: "user", id: user.id, name: user.name },
      at: now(),
      before: { branch: user.branch ?? "" },
      after: { branch: branch.name },
    });
    const from = { id: user.branch_id, name: user.branch ?? "" };
    await auditMove(transaction, { actor, user: user.name, from, to: branch, at: now() });
    return user.id;
  });
}

/** A branch in the scope of the actor's right. Throws 403 or 404. */
export const findBranch = (db: Db, actor: Actor, id: number, right: "read" | "write") =>
  findReachable(
    (right) => branchRows(db).where("branches.id", "=", id).where(branchesWithin(actor, right)).executeTakeFirst(),
    right,
  );

/** The active user with an id, email or name, in the scope of the actor's right. */
async function findUserByText(db: Db, actor: Actor, wanted: string, right: "read" | "write") {
  const users = userRows(db)
    .where("users.active", "=", TRUE)
    .where(usersWithin(actor, "users", right))
    .limit(2);
  const id = /^\d{1,9}$/.test(wanted) ? Number(wanted) : 0;
  const exact =
    (await users.where("users.id", "=", id).executeTakeFirst()) ??
    (await users.where("users.email_key", "=", foldEmail(wanted)).executeTakeFirst());
  if (exact) return exact;
  const [one, other] = await users.where("users.name_key", "=", fold(wanted)).execute();
  if (other) return { refusal: "Several users have this name: enter the email" };
  return one ?? { refusal: "Enter the exact name or email of a user of your company" };
}

type Before = { manager_id: number | null; manager: string | null };

/** A branch's columns from its form, and the values for its audit entry. */
async function branchColumns(db: Db, actor: Actor, input: NewBranch, before?: Before) {
  const { name, email, phone, country, city, index, address } = input;
  const contact = { name, email, phone, country, city, index, address };
  const manager = await resolveManager(db, actor, input, before);
  return {
    columns: { ...contact, name_key: fold(name), manager_id: manager.id },
    auditValues: { ...contact, manager: manager.name },
  };
}

/** The manager of a branch. A current one is not looked up again, as the actor may not see them. */
export async function resolveManager(
  db: Db,
  actor: Actor,
  { manager, manager_id }: Pick<NewBranch, "manager" | "manager_id">,
  before: Before | undefined,
) {
  if (!manager_id && !manager) return { id: null, name: "" };
  const isSame = manager_id ? manager_id === before?.manager_id : fold(manager) === fold(before?.manager ?? "");
  if (before?.manager && isSame) return { id: before.manager_id, name: before.manager };
  const user = await findUserByText(db, actor, String(manager_id || manager), "read");
  if ("refusal" in user) throw invalid({ [manager_id ? "manager_id" : "manager"]: user.refusal });
  return { id: user.id, name: user.name };
}

function rethrowNameTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw invalid({ name: "A branch has this name already: choose another" });
  throw error;
}

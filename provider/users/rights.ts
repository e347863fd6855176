import { type Actor, isAdministrator, mayImpersonate, mayAssignGroup, ownedOutOfScope } from "../access.ts";
import { type Area, reach } from "../contract/areas.ts";
import type { Permissions } from "../contract/permissions.ts";
import { listOrArchive } from "../documents/list/indexes.ts";
import type { Db } from "../db/tables.ts";
import { conflict, forbidden, throwIfErrors } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { requireProof } from "../sessions/proof.ts";
import { isSameEmail } from "./profile/email-change.ts";

/** A user's branch and access group, as they are or would be. A new user has no id and owns nothing. */
export type Placement = { id?: number; branch_id: number | null; access_group_id: number };

type Drafts = Pick<Services, "hasDrafts">;

/** Whether signing in as the user would give the actor nothing that they can't see and do themselves. */
export async function mayImpersonateAt({ hasDrafts }: Drafts, db: Db, actor: Actor, user: Placement): Promise<boolean> {
  if (isAdministrator(actor)) return true;
  const { id, branch_id, access_group_id } = user;
  const permissions = await groupOf(db, access_group_id);
  const documents = db.selectFrom("documents").where("company_id", "=", actor.company_id).select("id").limit(1);
  const restricted = await documents.where("access_group_id", "=", access_group_id).executeTakeFirst();
  const ownsOutOfScope =
    id !== undefined &&
    ((await ownsDocumentsOutOfScope(db, actor, { id, permissions })) || (await hasDrafts?.(db, id)) === true);
  return mayImpersonate(actor, {
    branch_id,
    access_group_id,
    permissions,
    seesRestricted: restricted !== undefined,
    ownsOutOfScope,
  });
}

async function ownsDocumentsOutOfScope(db: Db, actor: Actor, owner: Pick<Actor, "id" | "permissions">) {
  // List and archive have separate indexes by owner.
  for (const side of Object.values(listOrArchive)) {
    const documents = db.selectFrom("documents").where(side).where(ownedOutOfScope(actor, owner));
    if (await documents.select("documents.id").limit(1).executeTakeFirst()) return true;
  }
  return false;
}

/** Whether the actor may take users out of the user's access group. */
export const mayReassign = async (db: Db, actor: Actor, { access_group_id }: Placement) =>
  mayAssignGroup(actor, await groupOf(db, access_group_id));

/** Throws 409 or 403 if the actor may not remove the user. */
export async function requireRemovable(db: Db, actor: Actor, user: Placement & { id: number }) {
  if (user.id === actor.id) throw conflict("You can’t remove yourself: ask another administrator");
  if (!(await mayReassign(db, actor, user))) throw forbidden();
}

type PlacementChange = {
  before: Placement & { id: number; email: string };
  after: Placement;
  password: string;
  email: string;
};

/**
 * Throws 422 for a change by which an actor who is no administrator would gain rights: by signing in as a user with more
 * rights, or by moving themselves or a user whom they may sign in as.
 */
export async function preventEscalation(drafts: Drafts, db: Db, actor: Actor, change: PlacementChange) {
  const { before, after, password, email } = change;
  const isSelf = before.id === actor.id;
  const selfPassword = isSelf && password ? "Change your own password under My profile" : undefined;
  if (isAdministrator(actor)) return throwIfErrors({ password: selfPassword });
  const isCovered = await mayImpersonateAt(drafts, db, actor, before);
  const isProtected = !isSelf && !isCovered;
  const moreThanYou = "Leave this as it is: this user may see or do more than you";
  const errors = {
    email: isProtected && !isSameEmail(email, before.email) ? moreThanYou : undefined,
    password: selfPassword ?? (isProtected && password ? moreThanYou : undefined),
  };
  const isRegrouped = after.access_group_id !== before.access_group_id;
  const isMoved = after.branch_id !== before.branch_id;
  if (!isRegrouped && !isMoved) return throwIfErrors(errors);
  const field = isRegrouped ? "staff" : "branch";
  if (isSelf) return throwIfErrors({ ...errors, [field]: "Ask an administrator to change this for you" });
  if (isRegrouped && !(await mayReassign(db, actor, before))) return throwIfErrors({ ...errors, staff: moreThanYou });
  const isEscalation = isCovered && !(await mayImpersonateAt(drafts, db, actor, after));
  throwIfErrors({ ...errors, ...(isEscalation && { [field]: "Choose one that gives no more than you have" }) });
}

/** Areas in which changes need a proof. */
const provenAreas: readonly Area[] = ["users", "roles", "co_profile", "tariffs"];

/** Whether members of a group with these permissions may do what needs a proof. */
export const mayWhatNeedsProof = (permissions: Permissions) =>
  provenAreas.some((area) => reach(permissions[area], "write") ?? reach(permissions[area], "create"));

/**
 * Throws 403 unless the actor has proved to be present, if members of the access group may do what needs a proof:
 * the account's new user would prove it with a password of their own.
 */
export async function requireProofToAdmit(db: Db, actor: Actor, { access_group_id }: Placement, now: Date) {
  if (mayWhatNeedsProof(await groupOf(db, access_group_id))) requireProof(actor, now);
}

const groupOf = (db: Db, id: number) =>
  db.selectFrom("access_groups").where("id", "=", id).selectAll().executeTakeFirstOrThrow();

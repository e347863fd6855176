import type { Kysely } from "kysely";
import type { z } from "zod";
import { fold } from "#storage/text.ts";
import {
  type Actor,
  type Caller,
  isAdministrator,
  mayAssignGroup,
  mayAssignBranch,
  scopeOf,
  usersWithin,
} from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { forgetBrowsers } from "../sessions/browsers.ts";
import type { createUser, updateUser } from "../contract/users.ts";
import { groupNamed, hasAdministrator } from "../db/access-groups.ts";
import { audit, deactivated, staleConflict } from "../db/audit.ts";
import type { Tables } from "../db/tables.ts";
import { auditedUser, userRows } from "../db/users.ts";
import { type ImageChange, imageAudit } from "../files/images.ts";
import { invitationMessage, passwordChangedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { passwordRefusal, personalTexts } from "../passwords/new-password.ts";
import { hashPassword } from "../passwords/passwords.ts";
import { conflict, forbidden, invalid, findReachable, HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { nameColumns, newUser } from "../sessions/signup.ts";
import { issueToken, revokeTokens, revokeLinks } from "../sessions/tokens.ts";
import { mayImpersonateAt, mayReassign, type Placement } from "./rights.ts";
import { needsProof } from "./current-password.ts";
import { isSameEmail, pendingEmailOf, requestEmail } from "./email-change.ts";
import { rethrowEmailTaken } from "./email-taken.ts";

/** Adding, changing and removing those who work for a company. Each is one transaction with its entry in the audit trail. */

type New = z.output<typeof createUser.body>;
type Change = z.output<typeof updateUser.body>;
type Db = Kysely<Tables>;

/** Adds a user and returns their id. Without a password they are sent an invitation. */
export async function addUser(services: Services, caller: Caller, given: New, image: ImageChange): Promise<number> {
  const { now } = services;
  const password_hash = await hashNewPassword(given, () => companyName(services.db, caller.company_id));
  const id = await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (scopeOf(actor, "users", "create") === "personal") throw forbidden();
    const columns = await userColumns(transaction, actor, given);
    if (!(await mayImpersonateAt(services, transaction, actor, columns))) throw invalid({ staff: chooseLess });
    const row = {
      ...newUser,
      ...columns,
      ...image,
      company_id: actor.company_id,
      password_hash,
      created_at: now().toISOString(),
    };
    const { id } = await transaction.insertInto("users").values(row).returning("id").executeTakeFirstOrThrow();
    const subject = { entity: "user", id, name: given.name } as const;
    const after = { ...(await auditedUser(transaction, id)), ...imageAudit(image) };
    await audit(transaction, actor, "added", subject, { at: now(), after });
    if (!password_hash) await writeInvitation(services, transaction, actor, { ...given, id });
    return id;
  }).catch(rethrowEmailTaken);
  if (!password_hash) services.nudgeMail();
  return id;
}

type Changing = { given: Change; image: ImageChange; isProven: boolean };

/**
 * Changes a user whom the actor may change. Another address of a user who has joined waits to be confirmed, and needs
 * proof that it is the actor; others are invited there instead.
 */
export async function changeUser(services: Services, caller: Caller, id: number, { given, image, isProven }: Changing) {
  const { now } = services;
  const password_hash = await hashNewPassword(given, () => personalTexts(services.db, id));
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findUser(transaction, actor, id);
    if (given.version !== undefined && given.version !== before.version) {
      throw await staleConflict(transaction, actor, "user", id);
    }
    await rejectErased(transaction, id);
    const wasActive = before.active === 1;
    const { active = wasActive } = given;
    // Branch and group of somebody who comes back may be gone, and are asked about like a new user's.
    const isBack = active && !wasActive;
    const isNewEmail = !isSameEmail(given.email, before.email);
    const isJoined = await hasJoined(transaction, id);
    const isOfJoined = isNewEmail && isJoined;
    if (isOfJoined && !isProven) throw needsProof();
    if (isOfJoined && !active) throw invalid({ email: "Make the user active first: they confirm the address by mail" });
    // With the address before, which may be another's by now, nobody comes back: they are invited to the new one.
    const isPending = isOfJoined && !isBack;
    const kept = { ...given, email: isPending ? before.email : given.email };
    const columns = await userColumns(transaction, actor, kept, isBack ? undefined : before, "write");
    const after = { ...columns, id };
    await preventEscalation({ services, db: transaction, actor }, before, after, given);
    if (isBack && !(await mayImpersonateAt(services, transaction, actor, after))) throw invalid({ staff: chooseLess });
    if (wasActive && !active) await requireRemovable(transaction, actor, before);
    const toldBefore = await auditedUser(transaction, id);
    const change = {
      ...columns,
      ...image,
      active: active ? 1 : 0,
      version: before.version + 1,
      ...((password_hash || (isOfJoined && isBack)) && { password_hash }),
    };
    await transaction.updateTable("users").set(change).where("id", "=", id).execute();
    if (!(await hasAdministrator(transaction, actor.company_id))) throw invalid({ staff: needsAdministrator });
    if (password_hash || !active) await signOutEverywhere(transaction, id);
    // Whoever reads the address before has no business with links that were sent there.
    else if (isNewEmail && !isPending) await revokeLinks(transaction, id);
    const pendingBefore = isPending ? await pendingEmailOf(transaction, id, now()) : "";
    const user = { id, name: given.name, email: before.email };
    if (isPending) await requestEmail(services, transaction, user, given.email);
    const subject = { entity: "user", id, name: given.name } as const;
    const pendingAfter = isPending ? { pending_email: given.email } : {};
    const toldAfter = { ...(await auditedUser(transaction, id)), ...pendingAfter, ...imageAudit(image) };
    const toldFrom = { ...toldBefore, pending_email: pendingBefore };
    await audit(transaction, actor, "changed", subject, { at: now(), before: toldFrom, after: toldAfter });
    const isInvited = isNewEmail && !isPending && active && !password_hash;
    if (isInvited) await writeInvitation(services, transaction, actor, { ...user, email: given.email });
    if (password_hash) await audit(transaction, actor, "password changed", subject, { at: now() });
    if (password_hash && isJoined) {
      const notice = passwordChangedMessage(before, "colleague");
      await enqueueMessage(services, transaction, notice, { userId: id, kind: "password changed" });
    }
  }).catch(rethrowEmailTaken);
  services.nudgeMail();
}

/** Deactivates a user: their sessions end, what they did stays. */
export async function removeUser(services: Services, caller: Caller, id: number) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findUser(transaction, actor, id);
    if (before.active === 0) return;
    await requireRemovable(transaction, actor, before);
    await transaction
      .updateTable("users")
      .set({ active: 0, version: before.version + 1 })
      .where("id", "=", id)
      .execute();
    if (!(await hasAdministrator(transaction, actor.company_id))) throw conflict(needsAdministrator);
    await signOutEverywhere(transaction, id);
    await audit(
      transaction,
      actor,
      "removed",
      { entity: "user", id, name: before.name },
      { at: now(), ...deactivated },
    );
  });
}

/** Ends a user's sessions and links; no browser is known to the account any more. */
async function signOutEverywhere(db: Db, id: number) {
  await revokeTokens(db, id);
  await forgetBrowsers(db, id);
}

/** Nobody is made of a user whose person was erased: what they did would become another's. */
async function rejectErased(db: Db, id: number) {
  const erased = db.selectFrom("users").where("id", "=", id).where("erased_at", "is not", null).select("id");
  if (await erased.executeTakeFirst()) throw conflict("The personal data of this user was erased: add a new user");
}

async function requireRemovable(db: Db, actor: Actor, user: Placement & { id: number }) {
  if (user.id === actor.id) throw conflict("You can’t remove yourself: ask another administrator");
  if (!(await mayReassign(db, actor, user))) throw forbidden();
}

/** Sends a user a link by which they set their password; earlier invitations end. */
export async function sendInvitation(services: Services, caller: Caller, id: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await findUser(transaction, actor, id);
    if (user.active === 0) throw conflict(`${user.name} was removed: make them active first`);
    // Whoever reads the mailbox signs in as the user.
    const isSelf = id === actor.id;
    if (!isSelf && !(await mayImpersonateAt(services, transaction, actor, user))) throw new HttpError(403, inviteLess);
    await writeInvitation(services, transaction, actor, user);
  });
  services.nudgeMail();
}

/** The invitation in the outbox, with the only token that is good from now on. `db` is a transaction. */
async function writeInvitation(
  services: Services,
  db: Db,
  actor: Actor,
  { id, name, email }: { id: number; name: string; email: string },
) {
  const { now, publicUrl } = services;
  const [company] = await companyName(db, actor.company_id);
  await db.deleteFrom("tokens").where("user_id", "=", id).where("kind", "=", "invitation").execute();
  await audit(db, actor, "invited", { entity: "user", id, name }, { at: now() });
  const token = await issueToken(db, "invitation", id, now());
  const message = invitationMessage({ name, email }, company, `${publicUrl}/signup?token=${token}`);
  await enqueueMessage(services, db, message, { userId: id, token, kind: "invitation" });
}

/** A user that the actor may change: missing where they may not even see them. */
export const findUser = (db: Db, actor: Actor, id: number, right: "read" | "write" = "write") =>
  findReachable(
    (right) =>
      userRows(db)
        .where("users.id", "=", id)
        .where(usersWithin(actor, "users", right))
        // Who was removed is there for those who could take them back.
        .where((eb) => eb.or([eb("users.active", "=", 1), usersWithin(actor, "users", "write")(eb)]))
        .executeTakeFirst(),
    right,
  );

/** Whether a user has set a password, and so can sign in. */
export const hasJoined = async (db: Db, id: number) =>
  (await db
    .selectFrom("users")
    .where("id", "=", id)
    .where("password_hash", "is not", null)
    .select("id")
    .executeTakeFirst()) !== undefined;

/** The columns that adding and changing set. Names that stay as they were are not asked about again. */
async function userColumns(
  db: Db,
  actor: Actor,
  given: New,
  before?: { branch: string | null; branch_id: number | null; staff: string; access_group_id: number },
  right: "write" | "create" = before ? "write" : "create",
) {
  const errors: Record<string, string> = {};
  let branch_id = before?.branch_id ?? null;
  if (fold(given.branch) !== fold(before?.branch ?? "")) {
    const branches = db.selectFrom("branches").where("company_id", "=", actor.company_id).where("active", "=", 1);
    const found = await branches.where("name_key", "=", fold(given.branch)).select("id").executeTakeFirst();
    branch_id = found?.id ?? null;
    if (given.branch && !found) errors.branch = chooseBranch;
  }
  // Nobody puts a user where their own right does not reach.
  const isMoved = !before || branch_id !== before.branch_id;
  if (isMoved && !mayAssignBranch(actor, branch_id, right)) errors.branch = chooseBranch;
  let access_group_id = before?.access_group_id ?? 0;
  if (!before || fold(given.staff) !== fold(before.staff)) {
    const group = await groupNamed(db, actor.company_id, given.staff);
    if (!group) errors.staff = "Choose an access group of your company";
    else if (!mayAssignGroup(actor, group)) errors.staff = "Choose an access group that may not do more than you";
    access_group_id = group?.id ?? 0;
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { phone, role, country, city, index, info } = given;
  return {
    ...nameColumns(given.name, given.email),
    phone,
    role,
    country,
    city,
    index,
    info,
    branch_id,
    access_group_id,
  };
}

const inviteLess = "This user may see or do more than you: ask an administrator to invite them";
const chooseLess = "Choose an access group and a branch that give no more than you have, or ask an administrator";
const chooseBranch = "Choose a branch whose users you may change";
const needsAdministrator = "Somebody must stay administrator: make another user one first";

/**
 * Refuses a change by which somebody who is no administrator would come to more than they have: by signing in as
 * somebody who may do more, or by moving themselves or a user whom they may act as.
 */
async function preventEscalation(
  { services, db, actor }: { services: Services; db: Db; actor: Actor },
  before: Placement & { id: number; email: string },
  after: Placement,
  given: Change,
) {
  const errors: Record<string, string> = {};
  const isSelf = before.id === actor.id;
  if (isSelf && given.password) errors.password = "Change your own password under My profile";
  if (isAdministrator(actor)) return throwIfErrors(errors);
  const isCovered = await mayImpersonateAt(services, db, actor, before);
  const moreThanYou = "Leave this as it is: this user may see or do more than you";
  if (!isSelf && !isCovered && !isSameEmail(given.email, before.email)) errors.email = moreThanYou;
  if (!isSelf && !isCovered && given.password) errors.password = moreThanYou;
  const isRegrouped = after.access_group_id !== before.access_group_id;
  const isMoved = after.branch_id !== before.branch_id;
  if (!isRegrouped && !isMoved) return throwIfErrors(errors);
  const field = isRegrouped ? "staff" : "branch";
  if (isSelf) errors[field] = "Ask an administrator to change this for you";
  else if (isRegrouped && !(await mayReassign(db, actor, before))) errors.staff = moreThanYou;
  else if (isCovered && !(await mayImpersonateAt(services, db, actor, after)))
    errors[field] = "Choose what gives no more than you have";
  throwIfErrors(errors);
}

function throwIfErrors(errors: Record<string, string>) {
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function companyName(db: Db, id: number): Promise<[string]> {
  const companies = db.selectFrom("companies").where("id", "=", id);
  return [(await companies.select("name").executeTakeFirstOrThrow()).name];
}

/** The hash of a password that is given, if one is. `textsBefore` reads what else than the given texts is the user's. */
async function hashNewPassword(
  { password, name, email, branch }: New,
  textsBefore: () => Promise<string[]>,
): Promise<string | null> {
  if (!password) return null;
  const refusal = await passwordRefusal(password, [name, email, branch, ...(await textsBefore())]);
  if (refusal) throw invalid({ password: refusal });
  return hashPassword(password);
}

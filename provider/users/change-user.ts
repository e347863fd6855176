import type { z } from "zod";
import { type Caller, scopeOf } from "../access.ts";
import type { createUser, updateUser } from "../contract/users.ts";
import { hasAdministrator } from "../access-groups/access-group-queries.ts";
import { auditMove } from "../branches/moves.ts";
import { audit, deactivated, staleConflict } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { auditedUser } from "./user-queries.ts";
import { type ImageChange, imageAudit } from "../files/images.ts";
import { inCallerTransaction, isAttended } from "../http/caller-transaction.ts";
import { conflict, forbidden, invalid } from "../http/errors.ts";
import { emailChangedMessage, passwordChangedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { hashNewPassword, personalTexts } from "../passwords/new-password.ts";
import type { Services } from "../services.ts";
import { forgetBrowsers } from "../sessions/browsers.ts";
import { requireProof } from "../sessions/proof.ts";
import { newUser } from "../sessions/signup.ts";
import { soleSignInAddress } from "../single-sign-on/configuration.ts";
import { revokeLinks, revokeTokens } from "../sessions/tokens.ts";
import { userColumns } from "./columns.ts";
import { isSameEmail, pendingEmailOf, requestEmail } from "./profile/email-change.ts";
import { rethrowEmailTaken } from "./profile/email-taken.ts";
import { findUser, hasJoined } from "./find.ts";
import { rejectErased } from "./erase.ts";
import { enqueueInvitation, type Invited } from "./invite.ts";
import { endAccess } from "./ownership.ts";
import { mayImpersonateAt, preventEscalation, requireProofToAdmit, requireRemovable } from "./rights.ts";

/** Adding, changing and removing users. Each is one transaction with its entry in the audit trail. */

/** What a directory says of a user beside the fields of their form. */
export type DirectoryColumns = {
  user_name: string;
  user_name_key: string;
  external_id: string;
  given_name: string;
  family_name: string;
  department: string;
  active: 0 | 1;
  /** Whether a user without a password is mailed an invitation at a new address. */
  isInvited: boolean;
};

/** `directory` is what a company's directory says of the user, by SCIM. */
type ByDirectory = { directory?: DirectoryColumns };
type NewUser = z.output<typeof createUser.body> & ByDirectory;
type UserChange = z.output<typeof updateUser.body> & ByDirectory;

const chooseLess = "Choose an access group and a branch that give no more than you have, or ask an administrator";
export const needsAdministrator = "At least one administrator must remain: make another user one first";

/** Adds a user and returns their id and, if they have no password, their invitation; the directory's may have none. */
export async function addUser(
  services: Services,
  caller: Caller,
  input: NewUser,
  image: ImageChange,
): Promise<{ id: number; invited: Invited | null }> {
  const { db, now } = services;
  await rejectWhereOff(services, caller, input);
  const password_hash = await hashFor(input, async () => {
    const companies = db.selectFrom("companies").where("id", "=", caller.company_id);
    return [(await companies.select("name").executeTakeFirstOrThrow()).name];
  });
  const added = await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (password_hash && isAttended(caller)) requireProof(actor, now());
    if (scopeOf(actor, "users", "create") === "personal") throw forbidden();
    const columns = await userColumns(transaction, actor, input, { right: "create" });
    if (!(await mayImpersonateAt(services, transaction, actor, columns))) throw invalid({ staff: chooseLess });
    if (isAttended(caller)) await requireProofToAdmit(transaction, actor, columns, now());
    const { company_id } = actor;
    const { isInvited = true, ...atDirectory }: Partial<DirectoryColumns> = input.directory ?? {};
    const created = { company_id, password_hash, created_at: now().toISOString() };
    const row = { ...newUser, ...columns, ...image, ...atDirectory, ...created };
    const { id } = await transaction.insertInto("users").values(row).returning("id").executeTakeFirstOrThrow();
    const subject = { entity: "user", id, name: input.name } as const;
    const after = { ...(await auditedUser(transaction, id)), ...imageAudit(image) };
    await audit(transaction, { actor, action: "added", subject, at: now(), after });
    const isMailed = !password_hash && isInvited;
    const invited = isMailed ? await enqueueInvitation(services, transaction, actor, { ...input, id }) : null;
    return { id, invited };
  }).catch(rethrowEmailTaken);
  if (!password_hash) services.nudgeMail();
  return added;
}

type UserForm = { input: UserChange; image: ImageChange };

/**
 * Changes a user. The new email address of a user who has joined must be confirmed, unless the company's directory gives
 * it, and needs a proof that the actor is present; other users are invited at the new address, and removed ones once they
 * are reactivated.
 */
export async function changeUser(services: Services, caller: Caller, id: number, { input, image }: UserForm) {
  const { db, now } = services;
  await rejectWhereOff(services, caller, input);
  const password_hash = await hashFor(input, () => personalTexts(db, id));
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findUser(transaction, actor, id);
    if (input.version !== undefined && input.version !== before.version) {
      throw await staleConflict(transaction, actor, "user", id);
    }
    await rejectErased(transaction, id);
    const wasActive = before.active === 1;
    const { active = wasActive, directory } = input;
    const isReturning = active && !wasActive;
    const isNewEmail = !isSameEmail(input.email, before.email);
    const isJoined = await hasJoined(transaction, id);
    // A removed user can't confirm an address, which another user may have taken: they are invited at the new one.
    const isMovedMailbox = isNewEmail && isJoined && wasActive && active;
    const isPending = isMovedMailbox && !directory;
    const fields = { ...input, email: isPending ? before.email : input.email };
    // While a user was removed, their branch and group may have been removed as well.
    const current = isReturning ? undefined : before;
    const columns = await userColumns(transaction, actor, fields, { current, right: "write" });
    const after = { ...columns, id };
    const isRegrouped = columns.access_group_id !== before.access_group_id;
    const needsProof = password_hash || isRegrouped || (isNewEmail && isJoined);
    if (needsProof && isAttended(caller)) requireProof(actor, now());
    if ((isNewEmail || isReturning) && isAttended(caller))
      await requireProofToAdmit(transaction, actor, columns, now());
    const { password = "", email } = input;
    await preventEscalation(services, transaction, actor, { before, after, password, email });
    if (isReturning && !(await mayImpersonateAt(services, transaction, actor, after))) {
      throw invalid({ staff: chooseLess });
    }
    if (wasActive && !active && !directory) await requireRemovable(transaction, actor, before);
    const auditedBefore = await auditedUser(transaction, id);
    const mustJoinAgain = isNewEmail && isJoined && !isMovedMailbox;
    const { isInvited: mayInvite = true, ...atDirectory } = directory ?? {};
    const change = {
      ...columns,
      ...atDirectory,
      ...image,
      active: active ? 1 : 0,
      version: before.version + 1,
      ...((password_hash || mustJoinAgain) && { password_hash }),
      // A removed user holds no address, and another address may be another person's.
      ...((!active || (isNewEmail && !isPending)) && { email_proved: 0 }),
      ...(isNewEmail && !isPending && { taken_over: 0 }),
    };
    await transaction.updateTable("users").set(change).where("id", "=", id).execute();
    if (!(await hasAdministrator(transaction, actor.company_id))) throw invalid({ staff: needsAdministrator });
    if (mustJoinAgain) {
      await endAccess(transaction, id);
      await transaction.deleteFrom("identities").where("user_id", "=", id).execute();
    }
    if (wasActive && !active) await forgetLostClaim(transaction, id);
    if (password_hash || !active || isReturning) await signOutEverywhere(transaction, id);
    // The old mailbox may be another person's.
    else if (isNewEmail && !isPending) await revokeLinks(transaction, id);
    const pending_email = isPending ? await pendingEmailOf(transaction, id, now()) : "";
    const user = { id, name: input.name, email: before.email };
    if (isPending) await requestEmail(services, transaction, user, input.email);
    else if (isMovedMailbox)
      await enqueueMessage(services, transaction, emailChangedMessage(before), { userId: id, kind: "email changed" });
    const subject = { entity: "user", id, name: input.name } as const;
    const pendingAfter = isPending ? { pending_email: input.email } : {};
    const saved = await auditedUser(transaction, id);
    const auditedAfter = { ...saved, ...pendingAfter, ...imageAudit(image) };
    await audit(transaction, {
      actor,
      action: "changed",
      subject,
      at: now(),
      before: { ...auditedBefore, pending_email },
      after: auditedAfter,
    });
    const from = { id: before.branch_id, name: before.branch ?? "" };
    const to = { id: columns.branch_id, name: String(saved.branch) };
    await auditMove(transaction, { actor, user: input.name, from, to, at: now() });
    const mustJoin = isJoined ? mustJoinAgain : isNewEmail || (isReturning && directory);
    const isInvited = mayInvite && mustJoin && active && !password_hash;
    if (isInvited) await enqueueInvitation(services, transaction, actor, { ...user, email: input.email });
    if (password_hash) await audit(transaction, { actor, action: "password changed", subject, at: now() });
    if (password_hash && isJoined) {
      const notice = passwordChangedMessage(before, "colleague");
      await enqueueMessage(services, transaction, notice, { userId: id, kind: "password changed" });
    }
  }).catch(rethrowEmailTaken);
  services.nudgeMail();
}

/** Deactivates a user: their sessions end, their row stays. A directory that removes them is no longer shown them. */
export async function removeUser(services: Services, caller: Caller, id: number) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const { active, name, version, ...before } = await findUser(transaction, actor, id);
    const isDirectory = caller.keyUse === "scim";
    if (active === 0 && !isDirectory) return;
    if (!isDirectory) await requireRemovable(transaction, actor, before);
    const names = isDirectory ? { user_name: "", user_name_key: "", external_id: "" } : {};
    const change = { active: 0, email_proved: 0, version: version + 1, ...names };
    await transaction.updateTable("users").set(change).where("id", "=", id).execute();
    if (!(await hasAdministrator(transaction, actor.company_id))) throw conflict(needsAdministrator);
    await signOutEverywhere(transaction, id);
    if (active === 1) await forgetLostClaim(transaction, id);
    await audit(transaction, {
      actor,
      action: "removed",
      subject: { entity: "user", id, name },
      at: now(),
      ...(active === 1 && deactivated),
    });
  });
}

/** A claim brings back only users whom its end removed, unless somebody has removed them since. */
const forgetLostClaim = (db: Db, id: number) =>
  db.updateTable("identities").set({ left_at: null }).where("user_id", "=", id).execute();

/** Revokes a user's sessions and links, and deletes their known browsers. */
async function signOutEverywhere(db: Db, id: number) {
  await revokeTokens(db, id);
  await forgetBrowsers(db, id);
}

/** Throws 422 for a password that could never sign in. */
async function rejectWhereOff(services: Services, { company_id }: Caller, { password }: Pick<NewUser, "password">) {
  if (!password || !(await soleSignInAddress(services, company_id))) return;
  throw invalid({
    password: "Leave the password empty: passwords are switched off, and users sign in by single sign-on",
  });
}

/** The hash of the form's password, null without one. `otherTexts` reads what else must not be in it. */
async function hashFor({ password, name, email, branch }: NewUser, otherTexts: () => Promise<string[]>) {
  return password ? hashNewPassword(password, [name, email, branch, ...(await otherTexts())]) : null;
}

import { hoursInMs } from "#lib/units.ts";
import type { Actor, Caller } from "../access.ts";
import { ago } from "../calendar/calendar.ts";
import type { AuditAction } from "../contract/audit.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, forbidden, invalid } from "../http/errors.ts";
import { type FactorChange, secondFactorMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { decryptSecret, encryptSecret, SecretLocked } from "../secrets.ts";
import type { Services } from "../services.ts";
import { forgetBrowsers } from "../sessions/browsers.ts";
import { endSessions, revokeFactorTokens, revokeTokens } from "../sessions/tokens.ts";
import { findUser } from "../users/find.ts";
import { mayImpersonateAt } from "../users/rights.ts";
import { hasSecondFactor, factorPurpose } from "./check.ts";
import { appAddress, newRecoveryCodes, newSecret, recoveryHash, stepOf } from "./codes.ts";

/** Setting up, replacing and removing second factors. Each is one transaction with its audit entry and a notice. */

const pendingLastsMs = hoursInMs(1);

type Setup = { secret: string; address: string };
type FactorUser = { id: number; name: string; email: string };

/** The secret that a user is setting up; undefined if there is none, or it is older than an hour. */
export async function pendingSetup(services: Services, db: Db, { id, email }: FactorUser): Promise<Setup | undefined> {
  const row = await db
    .selectFrom("second_factors")
    .where("user_id", "=", id)
    .where("pending_at", ">", ago(services.now(), pendingLastsMs))
    .select("pending_secret")
    .executeTakeFirst();
  if (!row?.pending_secret) return undefined;
  try {
    const secret = decryptSecret(services, factorPurpose(id), row.pending_secret);
    return { secret, address: appAddress(secret, email) };
  } catch (error) {
    // Making another one loses nothing.
    if (error instanceof SecretLocked) return undefined;
    throw error;
  }
}

/** Makes the secret of a new authenticator app, or returns the one that waits to be confirmed. */
export async function beginSetup(services: Services, caller: Caller): Promise<Setup> {
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    const setup = await pendingSetup(services, transaction, actor);
    if (setup) return setup;
    const secret = newSecret();
    const pending = {
      pending_secret: encryptSecret(services, factorPurpose(actor.id), secret),
      pending_at: services.now().toISOString(),
    };
    await transaction
      .insertInto("second_factors")
      .values({ user_id: actor.id, ...pending })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(pending))
      .execute();
    return { secret, address: appAddress(secret, actor.email) };
  });
}

/** Confirms a new authenticator app by its first one-time code, and returns new recovery codes. Throws 409 or 422. */
export async function confirmSetup(services: Services, caller: Caller, typed: string): Promise<string[]> {
  const { now } = services;
  const codes = await inCallerTransaction(services, caller, async (transaction, actor) => {
    const setup = await pendingSetup(services, transaction, actor);
    if (!setup) throw conflict("The set-up has ended: begin it again");
    const step = stepOf(setup.secret, typed, now());
    if (step === undefined) throw invalid({ code: wrongFirstCode });
    const isReplaced = await hasSecondFactor(transaction, actor.id);
    const set_up_at = now().toISOString();
    const secret = encryptSecret(services, factorPurpose(actor.id), setup.secret);
    await transaction
      .updateTable("second_factors")
      .set({ secret, last_step: step, set_up_at, pending_secret: null, pending_at: null })
      .where("user_id", "=", actor.id)
      .execute();
    // Their users gave a password alone.
    await endSessions(transaction, actor.id, { except: caller.session });
    await revokeFactorTokens(transaction, actor.id);
    const own = transaction.updateTable("tokens").where("hash", "=", caller.session);
    await own.set({ second_factor: 1, proved_at: set_up_at }).execute();
    await note(services, transaction, { actor, user: actor, change: isReplaced ? "replaced" : "set up" });
    return replaceRecoveryCodes(transaction, actor.id);
  });
  services.nudgeMail();
  return codes;
}

const wrongFirstCode =
  "This is not the one-time code that the app shows now: check the device’s time, then type it again";

/** Removes the caller's own second factor. Throws 409 if their access group requires one. */
export async function removeOwnFactor(services: Services, caller: Caller) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (!(await hasSecondFactor(transaction, actor.id))) throw conflict("There is no second factor to be removed");
    if (await isFactorRequired(transaction, actor)) {
      throw conflict("Your access group requires a second factor: set up another authenticator app instead");
    }
    await deleteFactors(transaction, actor.id);
    const sessions = transaction.updateTable("tokens").where("user_id", "=", actor.id).where("kind", "=", "session");
    await sessions.set({ second_factor: 0 }).execute();
    await note(services, transaction, { actor, user: actor, change: "removed" });
  });
  services.nudgeMail();
}

/** Makes new recovery codes in place of the earlier ones. Throws 409 without an authenticator app. */
export async function makeRecoveryCodes(services: Services, caller: Caller): Promise<string[]> {
  const codes = await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (!(await hasSecondFactor(transaction, actor.id))) throw conflict("Set up an authenticator app first");
    await note(services, transaction, { actor, user: actor, change: "recovery codes made" });
    return replaceRecoveryCodes(transaction, actor.id);
  });
  services.nudgeMail();
  return codes;
}

/** Removes a user's second factor, for a user who lost it, and signs them out. Throws 403 or 409. */
export async function clearFactor(services: Services, caller: Caller, userId: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await findUser(transaction, actor, userId);
    if (user.id === actor.id) throw conflict("Remove your own second factor under My profile");
    if (!(await mayImpersonateAt(services, transaction, actor, user))) throw forbidden();
    const passkeys = await transaction.deleteFrom("passkeys").where("user_id", "=", user.id).executeTakeFirst();
    if (passkeys.numDeletedRows === 0n && !(await hasSecondFactor(transaction, user.id))) {
      throw conflict(`${user.name} has no second factor`);
    }
    await deleteFactors(transaction, user.id);
    await revokeTokens(transaction, user.id);
    await forgetBrowsers(transaction, user.id);
    await note(services, transaction, { actor, user, change: "cleared" });
  });
  services.nudgeMail();
}

/** Deletes a user's authenticator app and recovery codes. */
async function deleteFactors(db: Db, userId: number) {
  await db.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** Whether the actor's access group requires a second factor. */
export async function isFactorRequired(db: Db, { access_group_id }: Pick<Actor, "access_group_id">): Promise<boolean> {
  const groups = db.selectFrom("access_groups").where("id", "=", access_group_id);
  return (await groups.select("requires_second_factor").executeTakeFirstOrThrow()).requires_second_factor === 1;
}

async function replaceRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const rows = codes.map((code) => ({ user_id: userId, hash: recoveryHash(userId, code) }));
  await db.insertInto("recovery_codes").values(rows).execute();
  return codes;
}

const actions: Record<FactorChange, AuditAction> = {
  "set up": "second factor set up",
  replaced: "second factor replaced",
  removed: "second factor removed",
  cleared: "second factor cleared",
  "recovery codes made": "recovery codes made",
};

type Noted = { actor: Pick<Actor, "id" | "name" | "company_id">; user: FactorUser; change: FactorChange };

/** The audit entry of a change, and the notice of it. */
async function note(services: Services, db: Db, { actor, user, change }: Noted) {
  const { id, name } = user;
  const subject = { entity: "user", id, name } as const;
  await audit(db, { actor, action: actions[change], subject, at: services.now() });
  await enqueueMessage(services, db, secondFactorMessage(user, change), { userId: id, kind: "second factor" });
}

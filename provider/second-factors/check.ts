import type { Db } from "../db/tables.ts";
import { invalid } from "../http/errors.ts";
import { recoveryCodeUsedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { decryptSecret, SecretLocked } from "../secrets.ts";
import type { Services } from "../services.ts";
import { isOneTimeCode, recoveryHash, stepOf } from "./codes.ts";

/** Checks of one-time codes and recovery codes, each of which is accepted once, whatever process checks it. */

/** The purpose that the secret of a user's authenticator app is encrypted for (`encryptSecret`). */
export const factorPurpose = (userId: number) => `second factor of user ${userId}`;

/** The proof of the second factor; for a recovery code, how many are left. */
export type UsedFactor = { kind: "one-time code" } | { kind: "recovery code"; codesLeft: number };

/** Whether a user has an authenticator app that is set up. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const factors = db.selectFrom("second_factors").where("user_id", "=", userId).where("secret", "is not", null);
  return (await factors.select("user_id").executeTakeFirst()) !== undefined;
}

/** Whether a user has an authenticator app or a passkey. */
export async function hasFactorOrPasskey(db: Db, userId: number): Promise<boolean> {
  const passkeys = db.selectFrom("passkeys").where("user_id", "=", userId).select("id").limit(1);
  return (await hasSecondFactor(db, userId)) || (await passkeys.executeTakeFirst()) !== undefined;
}

type FactorOwner = { id: number; email: string };

/**
 * Uses up a one-time code or a recovery code of a user, who gets a mail about the latter (`nudgeMail`). Undefined if the code
 * is wrong or was used before. Throws 422 if the app's secret can't be decrypted.
 */
export async function consumeFactor(
  services: Services,
  db: Db,
  user: FactorOwner,
  typed: string,
): Promise<UsedFactor | undefined> {
  if (!isOneTimeCode(typed)) return consumeRecoveryCode(services, db, user, typed);
  const { id: userId } = user;
  const factors = db.selectFrom("second_factors").where("user_id", "=", userId).select("secret");
  const stored = (await factors.executeTakeFirst())?.secret;
  const step = stored && stepOf(readSecret(services, userId, stored), typed, services.now());
  if (!step) return undefined;
  // One statement compares and stores: of two that send the same code at once, one succeeds.
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("secret", "=", stored)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { kind: "one-time code" } : undefined;
}

/** The secret of a user's authenticator app. Throws 422 if no SEAL_SECRET decrypts it, which the operator learns. */
function readSecret(services: Services, userId: number, stored: string): string {
  try {
    return decryptSecret(services, factorPurpose(userId), stored);
  } catch (error) {
    if (!(error instanceof SecretLocked)) throw error;
    services.log.error({ user: userId, reason: error.message }, "second factor can't be decrypted");
    throw invalid({ code: lockedSecret });
  }
}

const lockedSecret =
  "One-time codes of your authenticator app can’t be checked at the moment: use a recovery code, or ask an administrator to remove your second factor";

/** The message for a code that was not accepted. */
export const wrongCode = (typed: string) =>
  isOneTimeCode(typed)
    ? "This one-time code is not right or was used before: wait for the next one, or use a recovery code"
    : "This recovery code is not right or was used before: use another one";

async function consumeRecoveryCode(
  services: Services,
  db: Db,
  user: FactorOwner,
  typed: string,
): Promise<UsedFactor | undefined> {
  const { id: userId } = user;
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", recoveryHash(userId, typed))
    .executeTakeFirst();
  if (numDeletedRows === 0n) return undefined;
  const codesLeft = await countRecoveryCodes(db, userId);
  await enqueueMessage(services, db, recoveryCodeUsedMessage(user, codesLeft), { userId, kind: "recovery code" });
  return { kind: "recovery code", codesLeft };
}

/** How many recovery codes a user has left. */
export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const codes = db.selectFrom("recovery_codes").where("user_id", "=", userId);
  return (await codes.select((eb) => eb.fn.countAll<number>().as("left")).executeTakeFirstOrThrow()).left;
}

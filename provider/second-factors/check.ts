import type { Db } from "../db/tables.ts";
import { decryptSecret } from "../secrets.ts";
import type { Services } from "../services.ts";
import { isOneTimeCode, recoveryHash, stepOf } from "./codes.ts";

/** Checks of one-time codes and recovery codes, each of which is accepted once, whatever process checks it. */

/** What a user's secret is encrypted for. */
export const secretOf = (userId: number) => `second factor of user ${userId}`;

/** What proved the second factor; of a recovery code how many are left. */
export type UsedFactor = { kind: "one-time code" } | { kind: "recovery code"; left: number };

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

/** Uses a one-time code or a recovery code of a user up; undefined where it is wrong or was used before. */
export async function consumeFactor(
  services: Pick<Services, "seals" | "now">,
  db: Db,
  userId: number,
  typed: string,
): Promise<UsedFactor | undefined> {
  if (!isOneTimeCode(typed)) return consumeRecoveryCode(db, userId, typed);
  const factors = db.selectFrom("second_factors").where("user_id", "=", userId).select("secret");
  const stored = (await factors.executeTakeFirst())?.secret;
  const step = stored && stepOf(decryptSecret(services, secretOf(userId), stored), typed, services.now());
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

async function consumeRecoveryCode(db: Db, userId: number, typed: string): Promise<UsedFactor | undefined> {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", recoveryHash(userId, typed))
    .executeTakeFirst();
  return numDeletedRows > 0n ? { kind: "recovery code", left: await countRecoveryCodes(db, userId) } : undefined;
}

/** How many recovery codes a user has left. */
export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const codes = db.selectFrom("recovery_codes").where("user_id", "=", userId);
  return (await codes.select((eb) => eb.fn.countAll<number>().as("left")).executeTakeFirstOrThrow()).left;
}

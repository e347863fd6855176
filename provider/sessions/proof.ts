import { minutesInMs } from "#lib/units.ts";
import type { Actor } from "../access.ts";
import type { Call } from "../contract/call.ts";
import type { Db } from "../db/tables.ts";
import { proofRequired, secondFactorRequired } from "../http/errors.ts";

/** Requirements of some calls besides rights: a second factor, and a recent proof that their user is present. */

/** How long a sign-in, or a later proof, counts. */
const proofLastsMs = minutesInMs(10);

type Present = Pick<Actor, "provedAt">;

/** Until when the last proof of the session's user counts. */
export const provedUntil = ({ provedAt }: Present) =>
  provedAt && new Date(Date.parse(provedAt) + proofLastsMs).toISOString();

/** Whether the session's user proved to be present within the last ten minutes. */
export const isProven = ({ provedAt }: Present, now: Date) =>
  provedAt !== undefined && now.getTime() - Date.parse(provedAt) < proofLastsMs;

/** Stores that a session's user has just proved to be present. `session` is its token's hash. */
export const storeProof = (db: Db, session: string, now: Date) =>
  db.updateTable("tokens").set({ proved_at: now.toISOString() }).where("hash", "=", session).execute();

/** Throws 403 unless the session's user proved to be present within the last ten minutes. */
export function requireProof(actor: Present, now: Date) {
  if (!isProven(actor, now)) throw proofRequired();
}

/** Throws 403 if the session is not enough for a call. */
export function requireSteps({ proof, withoutFactor }: Pick<Call, "proof" | "withoutFactor">, actor: Actor, now: Date) {
  if (actor.lacksSecondFactor && !withoutFactor) throw secondFactorRequired();
  if (proof) requireProof(actor, now);
}

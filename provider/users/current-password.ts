import { minutesInSeconds } from "#units";
import type { Actor, Caller } from "../access.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { isRightPassword, noPassword } from "../passwords/passwords.ts";
import { invalid, proofRequired, unauthorized } from "../http/errors.ts";
import { hasSecondFactor } from "../second-factors/check.ts";
import { isProven } from "../sessions/proof.ts";
import type { Services } from "../services.ts";
import { soleSignInAddress } from "../single-sign-on/configuration.ts";

type ProofInput = { actor: Actor; caller: Caller; token: string | undefined; request: Request };

const toChangeEmail = "to change the email address";

export const needsProof = (purpose = toChangeEmail) =>
  invalid({ current_password: `Enter your current password ${purpose}` });

/** For users without a password. */
const signInAgain = (purpose: string) =>
  invalid({
    current_password: `Sign out and in again ${purpose}: you have no password, and your sign-in is older than ten minutes`,
  });

const hashOf = async ({ db }: Pick<Services, "db">, { id }: Pick<Actor, "id">) =>
  (await db.selectFrom("users").where("id", "=", id).select("password_hash").executeTakeFirstOrThrow()).password_hash;

/** Whether a user has a password that signs in. */
export const hasPassword = async (services: Services, actor: Actor) =>
  (await hashOf(services, actor)) !== noPassword && !(await soleSignInAddress(services, actor.company_id));

/** Returns the check that the user is present, for changes that could give much away. It throws 422 or 429. */
export function createPasswordProof(services: Services, purpose = toChangeEmail) {
  const { db, now } = services;
  const limit = limitByKey(services, ["current_password", 10, minutesInSeconds(15)]);

  return async function prove({ actor, caller, token, request }: ProofInput, typed: string | undefined) {
    const sessions = db.selectFrom("tokens").where("hash", "=", caller.session).where("kind", "=", "session");
    if (!(await sessions.select("hash").executeTakeFirst())) throw unauthorized();
    if (isProven(actor, now())) return;
    // A password alone does not prove as much as their sign-in.
    if (await hasSecondFactor(db, actor.id)) throw proofRequired();
    if (!(await hasPassword(services, actor))) throw signInAgain(purpose);
    if (!typed) throw needsProof(purpose);
    await limit.count(token!);
    const password_hash = await hashOf(services, actor);
    if (!(await isRightPassword(password_hash, typed, { isFirst: true, signal: request.signal }))) {
      throw invalid({ current_password: "The current password is not right: type it again" });
    }
    await limit.reset(token!);
  };
}

import { minutesInSeconds } from "#units";
import type { Actor, Caller } from "../access.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { isRightPassword } from "../passwords/passwords.ts";
import { invalid, proofRequired, unauthorized } from "../http/errors.ts";
import { hasSecondFactor } from "../second-factors/check.ts";
import { isProven } from "../sessions/proof.ts";
import type { Services } from "../services.ts";

type ProofInput = { actor: Actor; caller: Caller; token: string | undefined; request: Request };

const toChangeEmail = "to change the email address";

export const needsProof = (purpose = toChangeEmail) =>
  invalid({ current_password: `Enter your current password ${purpose}` });

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
    if (!typed) throw needsProof(purpose);
    await limit.count(token!);
    const users = db.selectFrom("users").where("id", "=", actor.id).select("password_hash");
    const { password_hash } = await users.executeTakeFirstOrThrow();
    if (!(await isRightPassword(password_hash, typed, { isFirst: true, signal: request.signal }))) {
      throw invalid({ current_password: "The current password is not right: type it again" });
    }
    await limit.reset(token!);
  };
}

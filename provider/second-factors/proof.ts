import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { invalid } from "../http/errors.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { hasPassword } from "../passwords/has-password.ts";
import { isRightPassword } from "../passwords/passwords.ts";
import type { Services } from "../services.ts";
import { storeProof } from "../sessions/proof.ts";
import { consumeFactor, hasSecondFactor, wrongCode } from "./check.ts";

/** Proofs that a session's user is present, by password and one-time code. */

const signInAgain = "Sign out and in again: you sign in without a password here";

type Proof = { current_password: string; code: string };
type By = { actor: Actor; caller: Caller; token: string | undefined; request: Request };

/** Returns the check of password and one-time code, which stores a proof of presence. It rejects with 422 or 429. */
export function createProof(services: Services) {
  const { db, now } = services;
  // By session: guesses in a stolen one do not keep the user from proving it elsewhere.
  const limit = limitByKey(services, "proof");

  return async function prove({ actor, caller, token, request }: By, { current_password, code }: Proof) {
    if (!(await hasPassword(services, actor))) throw invalid({ current_password: signInAgain });
    await limit.count(token!);
    const users = db.selectFrom("users").where("id", "=", actor.id).select("password_hash");
    const { password_hash } = await users.executeTakeFirstOrThrow();
    if (!(await isRightPassword(password_hash, current_password, { isFirst: true, signal: request.signal }))) {
      throw invalid({ current_password: "The password is not right: type it again" });
    }
    const needsCode = await hasSecondFactor(db, actor.id);
    if (needsCode && !code) throw invalid({ code: "Enter the one-time code" });
    await inCallerTransaction(services, caller, async (transaction) => {
      if (needsCode && !(await consumeFactor(services, transaction, actor, code)))
        throw invalid({ code: wrongCode(code) });
      await storeProof(transaction, caller.session, now());
    });
    await limit.reset(token!);
    services.nudgeMail();
  };
}

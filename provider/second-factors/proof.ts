import { minutesInSeconds } from "#units";
import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { invalid } from "../http/errors.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { recoveryCodeUsedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { hasPassword } from "../passwords/has-password.ts";
import { isRightPassword } from "../passwords/passwords.ts";
import type { Services } from "../services.ts";
import { hasSecondFactor, consumeFactor } from "./check.ts";

/** Proofs that a session's user is present, by what they sign in with. */

const signInAgain = "Sign out and in again: you sign in without a password here";

type Proof = { current_password: string; code: string };
type By = { actor: Actor; caller: Caller; token: string | undefined; request: Request };

/** Returns what stores that a session's user is present. It throws 422 or 429. */
export function createProof(services: Services) {
  const { db, now } = services;
  // By session: guesses in a stolen one do not keep the user from proving it elsewhere.
  const limit = limitByKey(services, ["proof", 10, minutesInSeconds(15)]);

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
      const used = needsCode ? await consumeFactor(services, transaction, actor.id, code) : undefined;
      if (needsCode && !used)
        throw invalid({ code: "This one-time code is not right or was used before: type the next one" });
      if (used?.kind === "recovery code") {
        const message = recoveryCodeUsedMessage(actor, used.left);
        await enqueueMessage(services, transaction, message, { userId: actor.id, kind: "recovery code" });
      }
      const sessions = transaction.updateTable("tokens").where("hash", "=", caller.session);
      const proving = sessions.where("kind", "=", "session").set({ proved_at: now().toISOString() });
      await proving.execute();
    });
    await limit.reset(token!);
    services.nudgeMail();
  };
}

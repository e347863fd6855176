import { generateAuthenticationOptions } from "@simplewebauthn/server";
import { minutesInSeconds } from "#units";
import type { Networks } from "#storage/networks.ts";
import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import type { Browser } from "../sessions/browsers.ts";
import { issueChallenge, openSession, takeChallenge } from "../sessions/tokens.ts";
import { readAssertion, requireParty } from "./relying-party.ts";

/** Signing in, and proving to be present, with a passkey. */

type From = { networks: Networks; browser: Browser | undefined };
type By = { actor: Actor; caller: Caller; token: string | undefined; browser: Browser | undefined };

export function createPasskeySignIn(services: Services) {
  const { db, now, publicUrl } = services;
  const byNetwork = limitByNetwork(services, ["passkey", 100, minutesInSeconds(15)]);
  const proofs = limitByKey(services, ["passkey_proof", 10, minutesInSeconds(15)]);

  /** What a browser is asked; `userId` of a signed-in user. */
  async function options(userId: number | null, browser: Browser | undefined) {
    const party = requireParty(publicUrl);
    const challenge = await issueChallenge(db, { userId, browser, now: now() });
    const known = userId === null ? [] : await keys().where("users.id", "=", userId).execute();
    const asked = await generateAuthenticationOptions({
      rpID: party.id,
      challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
      userVerification: "required",
      allowCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    });
    return { options: { ...asked } };
  }

  const keys = () =>
    db
      .selectFrom("passkeys")
      .innerJoin("users", "users.id", "passkeys.user_id")
      .innerJoin("companies", "companies.id", "users.company_id")
      .where("users.active", "=", 1)
      .where("companies.active", "=", 1)
      .select(["users.id", "users.name", "users.company_id"])
      .select(["passkeys.id as key", "credential_id", "public_key", "counter"]);

  async function check(response: string, userId: number | null, browser: Browser | undefined) {
    const party = requireParty(publicUrl);
    const take = (challenge: string) => takeChallenge(db, challenge, { userId, browser, now: now() });
    const found = await readAssertion(response, { party, takeChallenge: take }, (credentialId) => {
      const key = keys().where("credential_id", "=", credentialId);
      return (userId === null ? key : key.where("users.id", "=", userId)).executeTakeFirst();
    });
    const used = { counter: found.counter, last_used_at: now().toISOString() };
    await db.updateTable("passkeys").set(used).where("id", "=", found.key.key).execute();
    return found.key;
  }

  return {
    async options({ networks, browser }: From) {
      await byNetwork.count(networks);
      return options(null, browser);
    },

    /** The user, and the token of a session. It rejects with 422 or 429. */
    async signIn(response: string, { networks, browser }: From) {
      await byNetwork.count(networks);
      const { id, name, company_id } = await check(response, null, browser);
      const token = await openSession(db, id, browser, { now: now(), hasSecondFactor: true });
      return { user: { id, name, company_id }, token };
    },

    proofOptions: ({ actor, browser }: Pick<By, "actor" | "browser">) => options(actor.id, browser),

    /** Stores that the session's user is present. It rejects with 422 or 429. */
    async prove(response: string, { actor, caller, token, browser }: By) {
      await proofs.count(token!);
      await check(response, actor.id, browser);
      await inCallerTransaction(services, caller, async (transaction) => {
        const session = transaction.updateTable("tokens").where("hash", "=", caller.session);
        await session.set({ proved_at: now().toISOString() }).execute();
      });
      await proofs.reset(token!);
    },
  };
}

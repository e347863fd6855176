import { generateAuthenticationOptions } from "@simplewebauthn/server";
import { minutesInSeconds } from "#units";
import type { Networks } from "#storage/networks.ts";
import type { Caller } from "../access.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import type { Browser } from "../sessions/browsers.ts";
import { issueChallenge, openSession, takeChallenge } from "../sessions/tokens.ts";
import { readAssertion, requireParty } from "./relying-party.ts";

/** Signing in, and proving to be present, with a passkey. */

type From = { networks: Networks; browser: Browser | undefined };
type By = { caller: Caller; token: string | undefined; browser: Browser | undefined };

export function createPasskeySignIn(services: Services) {
  const { db, now, publicUrl } = services;
  const byNetwork = limitByNetwork(services, ["passkey", 100, minutesInSeconds(15)]);
  const proofs = limitByKey(services, ["passkey_proof", 10, minutesInSeconds(15)]);

  /** What a browser is asked; `userId` of a signed-in user. */
  async function options(store: Db, userId: number | null, browser: Browser | undefined) {
    const party = requireParty(publicUrl);
    const challenge = await issueChallenge(store, { userId, browser, now: now() });
    const known = userId === null ? [] : await keys(store).where("users.id", "=", userId).execute();
    const asked = await generateAuthenticationOptions({
      rpID: party.id,
      challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
      userVerification: "required",
      allowCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    });
    return { options: { ...asked } };
  }

  const keys = (store: Db) =>
    store
      .selectFrom("passkeys")
      .innerJoin("users", "users.id", "passkeys.user_id")
      .innerJoin("companies", "companies.id", "users.company_id")
      .where("users.active", "=", 1)
      .where("companies.active", "=", 1)
      .select(["users.id", "users.name", "users.company_id"])
      .select(["passkeys.id as key", "credential_id", "public_key", "counter"]);

  type Answer = { response: string; userId: number | null; browser: Browser | undefined };

  async function check(store: Db, { response, userId, browser }: Answer) {
    const party = requireParty(publicUrl);
    const take = (challenge: string) => takeChallenge(store, challenge, { userId, browser, now: now() });
    const found = await readAssertion(response, { party, takeChallenge: take }, (credentialId) => {
      const key = keys(store).where("credential_id", "=", credentialId);
      return (userId === null ? key : key.where("users.id", "=", userId)).executeTakeFirst();
    });
    const used = { counter: found.counter, last_used_at: now().toISOString() };
    await store.updateTable("passkeys").set(used).where("id", "=", found.key.key).execute();
    return found.key;
  }

  return {
    async options({ networks, browser }: From) {
      await byNetwork.count(networks);
      return options(db, null, browser);
    },

    /** The user, and the token of a session. It rejects with 422 or 429. */
    async signIn(response: string, { networks, browser }: From) {
      await byNetwork.count(networks);
      const { id, name, company_id } = await check(db, { response, userId: null, browser });
      const token = await openSession(db, id, browser, { now: now(), hasSecondFactor: true });
      return { user: { id, name, company_id }, token };
    },

    proofOptions: ({ caller, browser }: Pick<By, "caller" | "browser">) =>
      inCallerTransaction(services, caller, (transaction, actor) => options(transaction, actor.id, browser)),

    /** Stores that the session's user is present. It rejects with 422 or 429. */
    async prove(response: string, { caller, token, browser }: By) {
      await proofs.count(token!);
      await inCallerTransaction(services, caller, async (transaction, actor) => {
        await check(transaction, { response, userId: actor.id, browser });
        const session = transaction.updateTable("tokens").where("hash", "=", caller.session);
        await session.set({ proved_at: now().toISOString() }).execute();
      });
      await proofs.reset(token!);
    },
  };
}

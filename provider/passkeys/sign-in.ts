import type { Networks } from "#lib/storage/limits/networks.ts";
import type { Caller } from "../access.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { HttpError } from "../http/errors.ts";
import { soleSignInAddress } from "../single-sign-on/configuration.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import type { Browser } from "../sessions/browsers.ts";
import { storeProof } from "../sessions/proof.ts";
import { issueChallenge, spendChallenge, takeChallenge } from "../sessions/challenges.ts";
import { openSession } from "../sessions/tokens.ts";
import { readAssertion, refusedPasskey, requireParty, webauthn } from "./relying-party.ts";
import { isSignInChallenge, newSignInChallenge } from "./sign-in-challenge.ts";

/** Signing in, and proving to be present, with a passkey. */

type From = { networks: Networks; browser: Browser | undefined };
type By = { caller: Caller; token: string | undefined; browser: Browser | undefined };

/** Returns the two halves of each: options for the browser, and the check of what it answers. */
export function createPasskeySignIn(services: Services) {
  const { db, now, publicUrl } = services;
  const byNetwork = limitByNetwork(services, "passkey");
  const proofs = limitByKey(services, "passkey_proof");

  async function options(challenge: Uint8Array<ArrayBuffer>, credentials: { credential_id: string }[]) {
    const { generateAuthenticationOptions } = await webauthn();
    const request = await generateAuthenticationOptions({
      rpID: requireParty(publicUrl).id,
      challenge,
      userVerification: "required",
      allowCredentials: credentials.map(({ credential_id }) => ({ id: credential_id })),
    });
    return { options: { ...request } };
  }

  const keys = (store: Db) =>
    store
      .selectFrom("passkeys")
      .innerJoin("users", "users.id", "passkeys.user_id")
      .innerJoin("companies", "companies.id", "users.company_id")
      .where("users.active", "=", TRUE)
      .where("companies.active", "=", TRUE)
      .select(["users.id", "users.name", "users.company_id"])
      .select(["passkeys.id as key", "credential_id", "public_key", "counter"]);

  type Answer = { response: string; userId?: number; takeChallenge(challenge: string): Promise<boolean> };

  async function check(store: Db, { response, userId, takeChallenge }: Answer) {
    const party = requireParty(publicUrl);
    const assertion = await readAssertion(response, { party, takeChallenge }, (credentialId) => {
      const key = keys(store).where("credential_id", "=", credentialId);
      return (userId === undefined ? key : key.where("users.id", "=", userId)).executeTakeFirst();
    });
    const used = { counter: assertion.counter, last_used_at: now().toISOString() };
    await store.updateTable("passkeys").set(used).where("id", "=", assertion.key.key).execute();
    return assertion.key;
  }

  return {
    /** Options for a browser whose user is not known yet. It rejects with 404 or 429. */
    async options({ networks, browser }: From) {
      requireParty(publicUrl);
      await byNetwork.count(networks);
      return options(newSignInChallenge(services, browser), []);
    },

    /** The user, and the token of a session. It rejects with 422 or 429. */
    async signIn(response: string, { networks, browser }: From) {
      await byNetwork.count(networks);
      requireParty(publicUrl);
      await webauthn();
      return db.transaction().execute(async (transaction) => {
        let signed = "";
        const takeChallenge = async (challenge: string) => isSignInChallenge(services, (signed = challenge), browser);
        const { id, name, company_id } = await check(transaction, { response, takeChallenge });
        const sole = await soleSignInAddress({ ...services, db: transaction }, company_id);
        if (sole) throw new HttpError(422, `Passkeys are switched off. Sign in with single sign-on: ${sole}`);
        if (!(await spendChallenge(transaction, signed, id, now()))) throw refusedPasskey();
        const token = await openSession(transaction, id, browser, { now: now(), hasSecondFactor: true });
        return { user: { id, name, company_id }, token };
      });
    },

    /** Options for a signed-in user's passkeys. It rejects with 404. */
    async proofOptions({ caller, browser }: Pick<By, "caller" | "browser">) {
      requireParty(publicUrl);
      const { challenge, credentials } = await inCallerTransaction(services, caller, async (transaction, { id }) => ({
        challenge: await issueChallenge(transaction, { userId: id, browser, now: now() }),
        credentials: await keys(transaction).where("users.id", "=", id).execute(),
      }));
      return options(new Uint8Array(Buffer.from(challenge, "base64url")), credentials);
    },

    /** Stores that the session's user is present. It rejects with 422 or 429. */
    async prove(response: string, { caller, token, browser }: By) {
      await proofs.count(token!);
      requireParty(publicUrl);
      await webauthn();
      await inCallerTransaction(services, caller, async (transaction, actor) => {
        const about = { userId: actor.id, browser, now: now() };
        await check(transaction, {
          response,
          userId: actor.id,
          takeChallenge: (challenge) => takeChallenge(transaction, challenge, about),
        });
        await storeProof(transaction, caller.session, now());
      });
      await proofs.reset(token!);
    },
  };
}

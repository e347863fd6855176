import type { AuthenticatorTransport } from "@simplewebauthn/server";
import type { z } from "zod";
import type { Actor, Caller } from "../access.ts";
import type { addPasskey as addPasskeyCall } from "../contract/passkeys.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, notFound } from "../http/errors.ts";
import { type PasskeyChange, passkeyMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import type { Browser } from "../sessions/browsers.ts";
import { issueChallenge, takeChallenge } from "../sessions/challenges.ts";
import { readRegistration, requireParty, webauthn } from "./relying-party.ts";

/** Adding, listing and removing passkeys. */

const maxPasskeys = 20;

const passkeysOf = (db: Db, userId: number) => db.selectFrom("passkeys").where("user_id", "=", userId).orderBy("id");

/** A user's passkeys in the contract's form, the first one first. */
export const passkeyReplies = (db: Db, userId: number) =>
  passkeysOf(db, userId).select(["id", "name", "created_at", "last_used_at"]).execute();

const withinLimit = async (db: Db, userId: number) => {
  const { length } = await passkeysOf(db, userId).select("id").limit(maxPasskeys).execute();
  if (length === maxPasskeys) throw conflict(`A user has ${maxPasskeys} passkeys at most: remove one first`);
};

/** Options with which a browser makes a passkey. Throws 404 or 409. */
export async function registrationOptions(services: Services, caller: Caller, browser: Browser | undefined) {
  const party = requireParty(services.publicUrl);
  const { actor, credentials, challenge } = await inCallerTransaction(services, caller, async (transaction, actor) => {
    await withinLimit(transaction, actor.id);
    const credentials = await passkeysOf(transaction, actor.id).select(["credential_id", "transports"]).execute();
    const challenge = await issueChallenge(transaction, { userId: actor.id, browser, now: services.now() });
    return { actor, credentials, challenge };
  });
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: "Sealdesk",
    rpID: party.id,
    userName: actor.email,
    userDisplayName: actor.name,
    userID: new Uint8Array(Buffer.from(`user ${actor.id}`)),
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    attestationType: "none",
    supportedAlgorithmIDs: [-8, -7, -257],
    excludeCredentials: credentials.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: JSON.parse(transports) as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options: { ...options } };
}

type Adding = { caller: Caller; browser: Browser | undefined; input: z.output<typeof addPasskeyCall.body> };

/** Stores a passkey, and returns its id. Throws 404, 409 or 422. */
export async function addPasskey(services: Services, { caller, browser, input }: Adding) {
  const { now, publicUrl } = services;
  const party = requireParty(publicUrl);
  await webauthn();
  const added = await inCallerTransaction(services, caller, async (transaction, actor) => {
    const { id: user_id } = actor;
    const takeFor = { userId: user_id, browser, now: now() };
    const credential = await readRegistration(input.response, {
      party,
      takeChallenge: (challenge) => takeChallenge(transaction, challenge, takeFor),
    });
    await withinLimit(transaction, user_id);
    const row = {
      user_id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      name: input.name,
      created_at: now().toISOString(),
    };
    const inserted = await transaction
      .insertInto("passkeys")
      .values(row)
      .onConflict((conflict) => conflict.column("credential_id").doNothing())
      .returning(["id", "name", "created_at", "last_used_at"])
      .executeTakeFirst();
    if (!inserted) throw conflict("This passkey was added before");
    await note(services, transaction, actor, "added");
    return inserted;
  });
  services.nudgeMail();
  return added;
}

/** Removes one of the actor's passkeys. Throws 404. */
export async function removePasskey(services: Services, caller: Caller, id: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const removed = transaction.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", actor.id);
    if ((await removed.executeTakeFirst()).numDeletedRows === 0n) throw notFound();
    await note(services, transaction, actor, "removed");
  });
  services.nudgeMail();
}

/** The audit entry of a change, and the notice of it. */
async function note(services: Services, db: Db, actor: Actor, change: PasskeyChange) {
  const { id, name } = actor;
  await audit(db, {
    actor,
    action: change === "added" ? "passkey added" : "passkey removed",
    subject: { entity: "user", id, name },
    at: services.now(),
  });
  await enqueueMessage(services, db, passkeyMessage(actor, change), { userId: id, kind: "passkey" });
}

import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { hoursInMs } from "#lib/units.ts";
import { earlierKeyHours } from "../contract/webhook-events.ts";
import type { Db } from "../db/tables.ts";
import { decryptSecret, encryptSecret } from "../secrets.ts";
import type { Services } from "../services.ts";

/** The keys of webhooks, with which each delivery is signed twice (Standard Webhooks): `v1` by HMAC, `v1a` by Ed25519. */

type SecretKey = { secret: string; privateKey: string };

/** The purpose that a stored key is encrypted for (`encryptSecret`). */
export const webhookKeyPurpose = ({ public_key }: { public_key: string }) => `webhook key ${public_key}`;

const secretBytes = 32;

type NewKey = { secret: string; publicKey: string };

/** Makes a webhook's key, in the transaction that needs it. Returns the shared secret, which is shown only now. */
export async function insertKey(db: Db, services: Pick<Services, "seals" | "now">, webhookId: number): Promise<NewKey> {
  const pair = generateKeyPairSync("ed25519");
  const { x, d } = pair.privateKey.export({ format: "jwk" });
  const public_key = Buffer.from(x!, "base64url").toString("base64");
  const secret = `whsec_${randomBytes(secretBytes).toString("base64")}`;
  const text = JSON.stringify({ secret, privateKey: d! } satisfies SecretKey);
  const private_key = encryptSecret(services, webhookKeyPurpose({ public_key }), text);
  const row = { webhook_id: webhookId, public_key, private_key, created_at: services.now().toISOString() };
  await db.insertInto("webhook_keys").values(row).execute();
  return { secret, publicKey: shownPublicKey(public_key) };
}

/** As Standard Webhooks writes public keys. */
export const shownPublicKey = (public_key: string) => `whpk_${public_key}`;

/** Makes a webhook's next key. The earlier one signs beside it for a day, or ends at once. */
export async function replaceKey(
  db: Db,
  services: Pick<Services, "seals" | "now">,
  webhookId: number,
  { atOnce }: { atOnce: boolean },
): Promise<NewKey> {
  const keys = db.deleteFrom("webhook_keys").where("webhook_id", "=", webhookId);
  // One that ends already goes: two keys at most sign.
  await (atOnce ? keys : keys.where("ends_at", "is not", null)).execute();
  const ends_at = new Date(services.now().getTime() + hoursInMs(earlierKeyHours)).toISOString();
  await db.updateTable("webhook_keys").set({ ends_at }).where("webhook_id", "=", webhookId).execute();
  return insertKey(db, services, webhookId);
}

/** The keys that sign for a webhook now, the newest first. Throws `SecretLocked`. */
export async function signingKeys(services: Pick<Services, "db" | "seals" | "now">, webhookId: number) {
  const { db, now } = services;
  const rows = await db
    .selectFrom("webhook_keys")
    .where("webhook_id", "=", webhookId)
    .where((eb) => eb.or([eb("ends_at", "is", null), eb("ends_at", ">", now().toISOString())]))
    .orderBy("id", "desc")
    .select(["public_key", "private_key"])
    .execute();
  return rows.flatMap(({ public_key, private_key }) =>
    private_key === null
      ? []
      : [
          {
            public_key,
            ...(JSON.parse(decryptSecret(services, webhookKeyPurpose({ public_key }), private_key)) as SecretKey),
          },
        ],
  );
}

export type SigningKey = Awaited<ReturnType<typeof signingKeys>>[number];

/** Deletes earlier keys that have ended. */
export const deleteEndedKeys = ({ db, now }: Pick<Services, "db" | "now">) =>
  db.deleteFrom("webhook_keys").where("ends_at", "<=", now().toISOString()).execute();

type Message = { id: string; at: Date; body: string };

/** The headers of Standard Webhooks, with signatures of each key. */
export function signedHeaders({ id, at, body }: Message, keys: SigningKey[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = keys.flatMap((key) => [
    new Webhook(key.secret).sign(id, at, body),
    `v1a,${sign(null, signed, privateKeyOf(key)).toString("base64")}`,
  ]);
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signatures.join(" ") };
}

function privateKeyOf({ public_key, privateKey: d }: SigningKey) {
  const x = Buffer.from(public_key, "base64").toString("base64url");
  return createPrivateKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x, d } });
}

import type { Kysely } from "kysely";
import { unwrap, wrap, wrappedBy, type WrappingKey } from "#lib/seal/wrapping.ts";
import type { Tables } from "../../db/tables.ts";
import { factorPurpose } from "../../second-factors/check.ts";
import { logKeyPurpose } from "../../log/origins.ts";
import { webhookKeyPurpose } from "../../webhooks/keys.ts";
import { clientSecretPurpose } from "../../single-sign-on/configuration.ts";
import { usedFor } from "./stored-keys.ts";

type Db = Kysely<Tables>;

/** The private keys and secrets that are stored, each with its purpose and how to replace it. */
async function storedSecrets(db: Db) {
  const keys = db.selectFrom("seal_keys").where("private_key", "is not", null);
  const roots = db.selectFrom("seal_roots").where("private_key", "is not", null);
  const factors = db.selectFrom("second_factors").where("secret", "is not", null);
  const webhookKeys = db.selectFrom("webhook_keys").where("private_key", "is not", null);
  const logs = db.selectFrom("log_origins").where("private_key", "is not", null);
  const clients = db.selectFrom("identity_providers").where("client_secret", "is not", null);
  return [
    ...(await keys.select(["id", "private_key", "thumbprint"]).execute()).map((row) => ({
      wrapped: row.private_key!,
      use: usedFor.key(row),
      replace: replacing(db, "seal_keys", row.id, row.private_key!),
    })),
    ...(await roots.select(["id", "private_key", "certificate"]).execute()).map((row) => ({
      wrapped: row.private_key!,
      use: usedFor.root(row),
      replace: replacing(db, "seal_roots", row.id, row.private_key!),
    })),
    ...(await factors.select(["user_id", "secret"]).execute()).map(({ user_id, secret }) => ({
      wrapped: secret!,
      use: factorPurpose(user_id),
      async replace(after: string) {
        const factor = db.updateTable("second_factors").where("user_id", "=", user_id).where("secret", "=", secret);
        await factor.set({ secret: after }).execute();
      },
    })),
    ...(await webhookKeys.select(["id", "private_key", "public_key"]).execute()).map((row) => ({
      wrapped: row.private_key!,
      use: webhookKeyPurpose(row),
      replace: replacing(db, "webhook_keys", row.id, row.private_key!),
    })),
    ...(await logs.select(["id", "private_key", "public_key"]).execute()).map((row) => ({
      wrapped: row.private_key!,
      use: logKeyPurpose(row),
      replace: replacing(db, "log_origins", row.id, row.private_key!),
    })),
    ...(await clients.select(["company_id", "client_secret"]).execute()).map((row) => ({
      wrapped: row.client_secret!,
      use: clientSecretPurpose(row),
      replace: async (after: string) => void (await clientOf(db, row).set({ client_secret: after }).execute()),
    })),
  ];
}

const clientOf = (db: Db, { company_id, client_secret }: { company_id: number; client_secret: string | null }) =>
  db.updateTable("identity_providers").where("company_id", "=", company_id).where("client_secret", "=", client_secret);

/** Does nothing if another process has replaced it. */
const replacing =
  (db: Db, table: "seal_keys" | "seal_roots" | "webhook_keys" | "log_origins", id: number, before: string) =>
  async (after: string) =>
    void (await db
      .updateTable(table as "seal_keys")
      .set({ private_key: after })
      .where("id", "=", id)
      .where("private_key", "=", before)
      .execute());

/** Encrypts what an earlier SEAL_SECRET encrypts with the first one; returns how many rows none decrypts. */
export async function rewrapKeys(db: Db, wrappingKeys: WrappingKey[]): Promise<{ locked: number }> {
  let locked = 0;
  for (const { wrapped, use, replace } of await storedSecrets(db)) {
    if (wrappedBy(wrapped) === wrappingKeys[0]!.id) continue;
    const key = unwrap(wrapped, wrappingKeys, use);
    if (key) await replace(wrap(key, wrappingKeys[0]!, use));
    else locked++;
  }
  return { locked };
}

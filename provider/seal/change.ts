import type { Caller } from "../access.ts";
import type { RevocationReason } from "../contract/seal-keys.ts";
import { audit } from "../db/audit.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, notFound, serviceUnavailable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { activeRoot, insertKey, retireKey, SealKeysLocked } from "./stored-keys.ts";

/** Makes a new key in place of the company's, with its audit entry. Throws 503 if the operator has lost the secret. */
export async function rotateKey(services: Services, caller: Caller) {
  const { now } = services;
  try {
    const root = await activeRoot(services);
    return await inCallerTransaction(services, caller, async (transaction, actor) => {
      const old = await retireKey(transaction, actor.company_id, now());
      const made = await insertKey(transaction, actor.company_id, root, services);
      await audit(transaction, {
        actor,
        action: "seal key rotated",
        subject: await companySubject(transaction, actor.company_id),
        at: now(),
        before: { seal_key: old?.short_id },
        after: { seal_key: made.short_id },
      });
      return made;
    });
  } catch (error) {
    if (!(error instanceof SealKeysLocked)) throw error;
    services.log.error({ reason: error.message }, "seal keys can't be decrypted");
    throw serviceUnavailable("New keys can’t be made now: ask the person who runs Sealdesk for you", 3600);
  }
}

/** Revokes one of the company's keys, with its audit entry. Throws 404, or 409 for one that is revoked already. */
export async function revokeKey(services: Services, caller: Caller, id: number, revoked_reason: RevocationReason) {
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    const keys = transaction.selectFrom("seal_keys").where("id", "=", id).where("company_id", "=", actor.company_id);
    const before = await keys.select(["short_id", "revoked_at"]).executeTakeFirst();
    if (!before) throw notFound();
    if (before.revoked_at) throw conflict(`Key ${before.short_id} is revoked already`);
    const at = services.now();
    const revoked = await markRevoked(transaction, id, revoked_reason, at);
    await audit(transaction, {
      actor,
      action: "seal key revoked",
      subject: await companySubject(transaction, actor.company_id),
      at,
      before: { seal_key: before.short_id },
      after: { seal_key: null, revoked_reason },
    });
    return revoked;
  });
}

export const markRevoked = (db: Db, id: number, revoked_reason: RevocationReason, at: Date) =>
  db
    .updateTable("seal_keys")
    .set({ revoked_at: at.toISOString(), revoked_reason, private_key: null })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

async function companySubject(db: Db, id: number) {
  const { name } = await db.selectFrom("companies").where("id", "=", id).select("name").executeTakeFirstOrThrow();
  return { entity: "company", id, name } as const;
}

import type { Actor, Caller } from "../access.ts";
import type { RevocationReason } from "../contract/seal-keys.ts";
import { audit } from "../db/audit.ts";
import { companyReply, inCompanyTransaction } from "../db/company.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, notFound, serviceUnavailable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { activeRoot, insertKey, retireKey, SealKeysLocked, type Sealing } from "./stored-keys.ts";

type By = Pick<Actor, "id" | "name" | "company_id">;

/** Makes a new key in place of the company's, with its audit entry. Throws 503 if the operator has lost the secret. */
export async function rotateKey(services: Services, caller: Caller) {
  try {
    const root = await activeRoot(services);
    return await inCallerTransaction(services, caller, (db, actor) => replaceKey(db, services, actor, root));
  } catch (error) {
    if (!(error instanceof SealKeysLocked)) throw error;
    services.log.error({ reason: error.message }, error.event);
    throw serviceUnavailable("New keys can’t be made now: ask the person who runs Sealdesk for you", 3600);
  }
}

type Root = Awaited<ReturnType<typeof activeRoot>>;

async function replaceKey(db: Db, services: Sealing, by: By, root: Root) {
  const at = services.now();
  const old = await retireKey(db, by.company_id, at);
  const made = await insertKey(db, by.company_id, root, services);
  const subject = await companySubject(db, by.company_id);
  const change = { before: { seal_key: old?.short_id }, after: { seal_key: made.short_id } };
  await audit(db, { actor: by, action: "seal key rotated", subject, at, ...change });
  return made;
}

type Revocation = { id: number; revoked_reason: RevocationReason };

/** Revokes one of the company's keys, with its audit entry. Throws 404, or 409 for one that is revoked already. */
export const revokeKey = (services: Services, caller: Caller, revocation: Revocation) =>
  inCallerTransaction(services, caller, (db, actor) => markRevoked(db, services, actor, revocation));

async function markRevoked(db: Db, { now }: Pick<Sealing, "now">, by: By, { id, revoked_reason }: Revocation) {
  const keys = db.selectFrom("seal_keys").where("id", "=", id).where("company_id", "=", by.company_id);
  const before = await keys.select(["short_id", "revoked_at"]).executeTakeFirst();
  if (!before) throw notFound();
  if (before.revoked_at) throw conflict(`Key ${before.short_id} is revoked already`);
  const at = now();
  const revoked = await db
    .updateTable("seal_keys")
    .set({ revoked_at: at.toISOString(), revoked_reason, private_key: null })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const subject = await companySubject(db, by.company_id);
  const change = { before: { seal_key: before.short_id }, after: { seal_key: null, revoked_reason } };
  await audit(db, { actor: by, action: "seal key revoked", subject, at, ...change });
  return revoked;
}

/** Has the company's published keys bear its name, or no longer, with its audit entry. */
export const nameKeys = (services: Services, caller: Caller, name_beside_keys: boolean) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { id, name, ...before } = await companyReply(db, actor.company_id);
    if (before.name_beside_keys === name_beside_keys) return;
    const company = db.updateTable("companies").where("id", "=", id);
    await company.set({ name_beside_keys: name_beside_keys ? 1 : 0 }).execute();
    const subject = { entity: "company", id, name } as const;
    const change = { before, after: { name_beside_keys } };
    await audit(db, { actor, action: "seal key naming changed", subject, at: services.now(), ...change });
  });

async function companySubject(db: Db, id: number) {
  const { name } = await db.selectFrom("companies").where("id", "=", id).select("name").executeTakeFirstOrThrow();
  return { entity: "company", id, name } as const;
}

/** In the audit trail, for whoever has a terminal on the server. */
const operatorFor = (company_id: number): By => ({ id: 0, name: "The operator", company_id });

/** The same for the operator, who needs no right. Throws `SealKeysLocked`. */
export async function rotateAsOperator(services: Sealing, companyId: number) {
  const root = await activeRoot(services);
  return inCompanyTransaction(services.db, companyId, (db) => replaceKey(db, services, operatorFor(companyId), root));
}

export const revokeAsOperator = (services: Sealing, companyId: number, revocation: Revocation) =>
  inCompanyTransaction(services.db, companyId, (db) => markRevoked(db, services, operatorFor(companyId), revocation));

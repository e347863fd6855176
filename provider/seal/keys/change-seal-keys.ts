import type { Actor, Caller } from "../../access.ts";
import type { RevocationReason } from "../../contract/seal-keys.ts";
import { dateIn, dayMonthYear, timeIn } from "../../calendar/calendar.ts";
import { audit } from "../../audit/audit-queries.ts";
import { companyReply, companySubject, inCompanyTransaction } from "../../company/company-queries.ts";
import type { Db } from "../../db/tables.ts";
import { enterSealKey } from "../../log/enter.ts";
import { otherKinds } from "../../log/records.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { conflict, notFound, serviceUnavailable } from "../../http/errors.ts";
import type { Services } from "../../services.ts";
import { keyReply } from "./public-keys.ts";
import { useNextKey, useOf } from "./next-keys.ts";
import {
  activeKeys,
  activeRoot,
  canDecrypt,
  insertKey,
  keyOf,
  nextKeys,
  retireKey,
  SealKeysLocked,
  type Sealing,
} from "./stored-keys.ts";

type By = Pick<Actor, "id" | "name" | "company_id">;

/** Makes a key that will take the place of the company's, with its audit entry. Throws 409 if one is next already, or 503 if the operator has lost the secret. */
export async function rotateKey(services: Services, caller: Caller) {
  try {
    const root = await activeRoot(services);
    return await inCallerTransaction(services, caller, (db, actor) => replaceKey(db, services, { by: actor, root }));
  } catch (error) {
    if (!(error instanceof SealKeysLocked)) throw error;
    services.log.error({ reason: error.message }, error.event);
    throw serviceUnavailable("New keys can’t be made now: ask the person who runs Sealdesk for you", 3600);
  }
}

type Root = Awaited<ReturnType<typeof activeRoot>>;

type Replacement = { by: By; root: Root; atOnce?: boolean };

async function replaceKey(db: Db, services: Sealing, { by, root, atOnce = false }: Replacement) {
  const { company_id } = by;
  const at = services.now();
  const [active, next] = [await keyOf(activeKeys(db), company_id), await keyOf(nextKeys(db), company_id)];
  // A key that can't sign is not waited for.
  const isNext = !atOnce && active !== undefined && canDecrypt(active, services.seals.wrappingKeys);
  if (next) {
    if (isNext && next.root_id === root.id) {
      const { timezone } = await companyReply(db, company_id);
      const [day, time] = [dayMonthYear(dateIn(timezone, useOf(next))), timeIn(timezone, useOf(next))];
      throw conflict(`Key ${next.short_id} is published already and will be used from ${day}, ${time}`);
    }
    await retireKey(db, next.id, at);
  }
  if (active && !isNext) await retireKey(db, active.id, at);
  const key = await insertKey(db, services, { companyId: company_id, root, isNext });
  const subject = await companySubject(db, company_id);
  const change = isNext
    ? { before: { next_seal_key: next?.short_id }, after: { next_seal_key: key.short_id } }
    : { before: { seal_key: active?.short_id }, after: { seal_key: key.short_id } };
  await audit(db, { actor: by, action: isNext ? "seal key made" : "seal key rotated", subject, at, ...change });
  return key;
}

type Revocation = { id: number; revoked_reason: RevocationReason };

/** Revokes one of the company's keys, with its audit entry. Throws 404, or 409 for one that is revoked already. */
export const revokeKey = (services: Services, caller: Caller, revocation: Revocation) =>
  inCallerTransaction(services, caller, (db, actor) => markRevoked(db, services, actor, revocation));

async function markRevoked(db: Db, { now }: Pick<Sealing, "now">, by: By, { id, revoked_reason }: Revocation) {
  const { company_id } = by;
  const keys = db.selectFrom("seal_keys").where("id", "=", id).where("company_id", "=", company_id);
  const before = await keys.selectAll().executeTakeFirst();
  if (!before) throw notFound();
  if (before.revoked_at) throw conflict(`Key ${before.short_id} is revoked already`);
  const at = now();
  const revoked = await db
    .updateTable("seal_keys")
    .set({ revoked_at: at.toISOString(), revoked_reason, private_key: null })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await enterSealKey(db, before, { kind: otherKinds.sealKeyRevoked, at: at.toISOString(), reason: revoked_reason });
  const subject = await companySubject(db, company_id);
  const used = keyReply(before).state === "active" ? await useNextKey(db, company_id, at) : undefined;
  const seal_key = used?.after.seal_key ?? null;
  const change = { before: { seal_key: before.short_id }, after: { seal_key, revoked_reason } };
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

/** In the audit trail, for the operator's terminal on the server. */
const operatorFor = (company_id: number): By => ({ id: 0, name: "The operator", company_id });

/** The same for the operator, who needs no right; the key is used at once if they say so. Throws 409 and `SealKeysLocked`. */
export async function rotateAsOperator(services: Sealing, companyId: number, { atOnce = false } = {}) {
  const root = await activeRoot(services);
  return inCompanyTransaction(services.db, companyId, (db) =>
    replaceKey(db, services, { by: operatorFor(companyId), root, atOnce }),
  );
}

export const revokeAsOperator = (services: Sealing, companyId: number, revocation: Revocation) =>
  inCompanyTransaction(services.db, companyId, (db) => markRevoked(db, services, operatorFor(companyId), revocation));

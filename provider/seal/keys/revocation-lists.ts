import { type KeyObject, X509Certificate } from "node:crypto";
import { headOf, revocationList } from "#lib/seal/revocation-list.ts";
import { daysInMs } from "#lib/units.ts";
import type { Db } from "../../db/tables.ts";
import type { Services } from "../../services.ts";
import { inTurn } from "../in-turn.ts";
import {
  currentRoot,
  fingerprintOf,
  listIdOf,
  listOf,
  rootKey,
  SealKeysLocked,
  type SealRootRow,
  type Sealing,
} from "./stored-keys.ts";

/**
 * Revocation lists, by which PDF readers learn that a company's key was revoked. Roots sign them, as no other key can: their
 * certificates allow none below them but companies'.
 */

/** A new one is made each day, and after each revocation; programs that have it need no other for a week. */
const [renewedMs, validMs] = [daysInMs(1), daysInMs(7)];
/** For as long is the last one good that is signed before an operator takes the root's key away. */
export const withoutKeyMs = daysInMs(366);
const warnedDays = 30;

/** The list (DER) of a root by the end of its address; undefined if there is none. */
export async function publishedList(services: Sealing, id: string): Promise<Buffer | undefined> {
  const roots = await services.db.selectFrom("seal_roots").selectAll().execute();
  const root = roots.find((row) => listIdOf(row) === id);
  return root && currentList(services, root);
}

/** A root's list (DER), made anew if it is due and the root's key is here; undefined if there is none. */
export async function currentList(services: Sealing, root: SealRootRow): Promise<Buffer | undefined> {
  const { db, now } = services;
  const current = async (row: SealRootRow) => {
    const isNew = now().getTime() - Date.parse(row.list_made_at ?? "") < renewedMs;
    return isNew && !(await lacksRevoked(db, row)) ? listOf(row) : undefined;
  };
  const rootNow = db.selectFrom("seal_roots").where("id", "=", root.id).selectAll();
  const renew = async () =>
    (await current(await rootNow.executeTakeFirstOrThrow())) ?? makeList(services, root, { ms: validMs });
  const key = `revocations ${root.id}`;
  return (await current(root)) ?? (await inTurn({ owner: db, key }, renew)) ?? listOf(root);
}

const revokedKeys = (db: Db, { id }: Pick<SealRootRow, "id">) =>
  db.selectFrom("seal_keys").where("root_id", "=", id).where("revoked_at", "is not", null);

/** Whether a key of a root was revoked that is not in its list. */
async function lacksRevoked(db: Db, root: SealRootRow): Promise<boolean> {
  const { revoked } = await revokedKeys(db, root)
    .select(({ fn }) => fn.countAll<number>().as("revoked"))
    .executeTakeFirstOrThrow();
  const list = listOf(root);
  return Number(revoked) > (list ? headOf(list).revoked : 0);
}

/** Signs and stores a root's list that is good for `ms`; undefined if the root's key is neither here nor in hand. */
export async function makeList(
  { db, seals, now }: Pick<Sealing, "db" | "seals" | "now">,
  root: SealRootRow,
  { ms, key: keyInHand }: { ms: number; key?: KeyObject },
) {
  const key = keyInHand ?? keyHere(root, seals);
  if (!key) return undefined;
  const at = now();
  const rows = await revokedKeys(db, root).select(["certificate", "revoked_at", "revoked_reason"]).execute();
  const revoked = rows.map(({ certificate, revoked_at, revoked_reason }) => ({
    certificate: Buffer.from(certificate, "base64"),
    at: new Date(revoked_at!),
    reason: revoked_reason ?? "unspecified",
  }));
  const issuer = { certificate: Buffer.from(root.certificate, "base64"), privateKey: key };
  const end = new X509Certificate(issuer.certificate).validToDate.getTime();
  const list = revocationList(issuer, revoked, { at, until: new Date(Math.min(at.getTime() + ms, end)) });
  const change = { revocation_list: list.toString("base64"), list_made_at: at.toISOString() };
  const stored = db.updateTable("seal_roots").set(change).where("id", "=", root.id);
  // A request that read the root before its key was removed leaves the long list alone.
  await (keyInHand ? stored : stored.where("private_key", "is not", null)).execute();
  return list;
}

function keyHere(root: SealRootRow, { wrappingKeys }: Sealing["seals"]): KeyObject | undefined {
  try {
    return root.private_key === null ? undefined : rootKey(root, wrappingKeys);
  } catch (error) {
    if (!(error instanceof SealKeysLocked)) throw error;
    return undefined;
  }
}

/** Retires the root that signs, so that the next key gets another. Its certificate and its last list stay published. */
export async function retireRoot(services: Sealing) {
  const root = await currentRoot(services.db);
  if (!root) return;
  const key = keyHere(root, services.seals);
  await services.db.transaction().execute(async (db) => {
    const change = { retired_at: services.now().toISOString(), private_key: null };
    const current = db.updateTable("seal_roots").set(change).where("id", "=", root.id).where("retired_at", "is", null);
    const { numUpdatedRows } = await current.executeTakeFirst();
    if (numUpdatedRows > 0n && key) await makeList({ ...services, db }, root, { ms: Infinity, key });
  });
}

/** Why lists of roots whose keys are elsewhere need those keys, in words. */
export async function faultsOfLists({ db, now }: Pick<Sealing, "db" | "now">): Promise<string[]> {
  const roots = await db.selectFrom("seal_roots").where("private_key", "is", null).orderBy("id").selectAll().execute();
  const faults = await Promise.all(
    roots.map(async (root) => {
      const isDeleted = root.retired_at !== null && root.key_removed_at === null;
      const ofRoot = root.retired_at === null ? "" : ` of the retired root ${fingerprintOf(root.certificate)}`;
      const deleted = isDeleted ? ", whose key is deleted: only a file of export-root has it" : "";
      if (await lacksRevoked(db, root)) return `a revoked key is not in the revocation list${ofRoot}${deleted}`;
      const list = listOf(root);
      const days = list ? Math.floor((headOf(list).until - now().getTime()) / daysInMs(1)) : Infinity;
      // Nothing is to be done about one that ends with a deleted key.
      const isEnding = days < warnedDays && !isDeleted;
      return isEnding ? `the revocation list${ofRoot} is good for ${days} days more` : undefined;
    }),
  );
  return faults.filter((fault) => fault !== undefined);
}

/** Logs that keys of roots, which are elsewhere, have to sign lists. */
export async function warnOfLists(services: Pick<Services, "db" | "now" | "log">) {
  for (const reason of await faultsOfLists(services))
    services.log.warn({ reason }, "a root's private key has to sign its revocation list");
}

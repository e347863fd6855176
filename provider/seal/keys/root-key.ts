import { type KeyObject, X509Certificate } from "node:crypto";
import { decryptedPem, encryptedPem } from "#lib/seal/encrypted-key.ts";
import { headOf } from "#lib/seal/revocation-list.ts";
import type { Db } from "../../db/tables.ts";
import { makeList, withoutKeyMs } from "./revocation-lists.ts";
import { currentRoot, encrypted, fingerprintOf, rootKey, type Sealing, usedFor } from "./stored-keys.ts";

/** The root's private key apart from the server: in a file that a passphrase encrypts. Only new company keys need it. */

/** A root that is not there, or a file that has not its key: the message says which. */
export class RootFileRefused extends Error {}

type RootFile = { pem: string; passphrase: string };

/** The root's private key, encrypted, and its certificate, in PEM. Throws `SealKeysLocked` or `RootFileRefused`. */
export async function exportRoot({ db, seals }: Pick<Sealing, "db" | "seals">, passphrase: string): Promise<string> {
  const root = await requireRoot(db);
  const key = rootKey(root, seals.wrappingKeys);
  return encryptedPem(key, passphrase) + certificateOf(root).toString();
}

/** Removes the private key that a file has as well; the root stays, with a long revocation list. Throws `RootFileRefused`. */
export async function removeRootKey(services: Pick<Sealing, "db" | "seals" | "now">, file: RootFile): Promise<void> {
  const key = keyIn(file);
  const root = await requireRoot(services.db);
  requireKeyOf(root, key);
  await services.db.transaction().execute(async (db) => {
    const removed = await db
      .updateTable("seal_roots")
      .set({ private_key: null, key_removed_at: services.now().toISOString() })
      .where("id", "=", root.id)
      .where("private_key", "is not", null)
      .returning("id")
      .executeTakeFirst();
    if (!removed) throw new RootFileRefused("The root's private key is not on this server: it was removed before");
    await makeList({ ...services, db }, root, { ms: withoutKeyMs, key });
  });
}

/** Signs the list of the root, retired or not, whose key a file has; returns its end. Throws `RootFileRefused`. */
export async function signRevocationList(services: Pick<Sealing, "db" | "seals" | "now">, file: RootFile) {
  const key = keyIn(file);
  const root = await rootOf(services.db, key);
  if (!root) throw new RootFileRefused("The file has the key of no root of this installation");
  const list = await makeList(services, root, { ms: root.retired_at === null ? withoutKeyMs : Infinity, key });
  return new Date(headOf(list!).until);
}

/** Stores the private key that a file has, encrypted with SEAL_SECRET; its root signs again. Throws `RootFileRefused`. */
export async function returnRootKey({ db, seals }: Pick<Sealing, "db" | "seals">, file: RootFile): Promise<void> {
  const key = keyIn(file);
  const root = await returnable(db, key);
  requireKeyOf(root, key);
  const private_key = encrypted(key, seals.wrappingKeys, usedFor.root(root));
  await db
    .updateTable("seal_roots")
    .set({ private_key, key_removed_at: null, retired_at: null })
    .where("id", "=", root.id)
    .execute();
}

/** The root, or the one that lost its key in a restore, as long as it has no successor. */
async function returnable(db: Db, key: KeyObject) {
  const current = await currentRoot(db);
  return (current ? undefined : await rootOf(db, key)) ?? requireRoot(db);
}

async function rootOf(db: Db, key: KeyObject) {
  const roots = await db.selectFrom("seal_roots").selectAll().execute();
  return roots.find((root) => certificateOf(root).checkPrivateKey(key));
}

/** Throws `RootFileRefused` unless a file has the root's key. */
export async function requireRootKey({ db }: Pick<Sealing, "db">, file: RootFile): Promise<void> {
  requireKeyOf(await requireRoot(db), keyIn(file));
}

async function requireRoot(db: Db) {
  const root = await currentRoot(db);
  if (!root) throw new RootFileRefused("There is no root certificate now: the next company key makes one");
  return root;
}

type Certified = { certificate: string };

const certificateOf = ({ certificate }: Certified) => new X509Certificate(Buffer.from(certificate, "base64"));

function requireKeyOf(root: Certified, key: KeyObject) {
  if (certificateOf(root).checkPrivateKey(key)) return;
  throw new RootFileRefused(
    `The file has another key than the root with the fingerprint ${fingerprintOf(root.certificate)}`,
  );
}

function keyIn({ pem, passphrase }: RootFile) {
  if (!pem.includes("-----BEGIN ENCRYPTED PRIVATE KEY-----")) {
    throw new RootFileRefused("The file has no encrypted private key: it is not from seal-keys export-root");
  }
  const key = decryptedPem(pem, passphrase);
  if (!key) throw new RootFileRefused("The passphrase does not decrypt the file's private key");
  return key;
}

import { type KeyObject, X509Certificate, createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { Selectable } from "kysely";
import { keyIdentifier, leafCertificate, rootCertificate } from "#lib/seal/certificates.ts";
import { type PublicJwk, shortIdOf, thumbprintOf } from "#lib/seal/signed-code.ts";
import { unwrap, wrap, type WrappingKey } from "#lib/seal/wrapping.ts";
import { countryCode } from "../../company/country-code.ts";
import type { Db, Tables } from "../../db/tables.ts";
import { enterSealKey } from "../../log/enter.ts";
import { otherKinds } from "../../log/records.ts";
import type { Services } from "../../services.ts";

/** Roots and companies' keys as rows, with their private parts encrypted. */

export type SealKeyRow = Selectable<Tables["seal_keys"]>;
export type SealRootRow = Selectable<Tables["seal_roots"]>;

/** A private key of the database that no SEAL_SECRET decrypts. */
export class SealKeysLocked extends Error {
  /** Its name in the log. */
  readonly event: string = "seal keys can't be decrypted";

  constructor(
    message = "The seal keys are encrypted with another SEAL_SECRET: add that one to the list, or make new keys with: seal-keys rotate --all --new-root",
  ) {
    super(message);
  }
}

/** A company key is to be made while an operator has the root's private key elsewhere. Keys that exist go on signing. */
export class RootKeyRemoved extends SealKeysLocked {
  override readonly event = "the root's private key is needed";

  constructor() {
    super(
      "A new company key needs the root's private key, which was removed from this server: return it with: seal-keys return-root FILE",
    );
  }
}

export type Sealing = Pick<Services, "db" | "seals" | "publicUrl" | "now">;

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** The purpose that a private key is encrypted for, so that rows can't be exchanged. */
export const usedFor = {
  key: ({ thumbprint }: Pick<SealKeyRow, "thumbprint">) => `seal key ${thumbprint}`,
  root: ({ certificate }: Pick<SealRootRow, "certificate">) => `seal root ${fingerprintOf(certificate)}`,
};

/** SHA-256 of a certificate as PDF readers show it, in pairs of hexadecimal digits. */
export const fingerprintOf = (certificate: string) =>
  new X509Certificate(Buffer.from(certificate, "base64")).fingerprint256;

export const encrypted = (key: KeyObject, wrappingKeys: WrappingKey[], use: string) =>
  wrap(key.export({ type: "pkcs8", format: "der" }), wrappingKeys[0]!, use);

/** Throws `SealKeysLocked` if no secret decrypts it. */
export function decryptedKey(stored: string, wrappingKeys: WrappingKey[], use: string): KeyObject {
  const key = unwrap(stored, wrappingKeys, use);
  if (!key) throw new SealKeysLocked();
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** Whether a secret decrypts a company's key. */
export const canDecrypt = (key: SealKeyRow, wrappingKeys: WrappingKey[]) =>
  unwrap(key.private_key ?? "", wrappingKeys, usedFor.key(key)) !== undefined;

/** The root that signs, if there is one. */
export const currentRoot = (db: Db): Promise<SealRootRow | undefined> =>
  db.selectFrom("seal_roots").where("retired_at", "is", null).selectAll().executeTakeFirst();

/** Throws `RootKeyRemoved`, or `SealKeysLocked` if no secret decrypts it. */
export function rootKey(root: SealRootRow, wrappingKeys: WrappingKey[]): KeyObject {
  if (root.private_key === null) throw new RootKeyRemoved();
  return decryptedKey(root.private_key, wrappingKeys, usedFor.root(root));
}

/** The root that signs, made if there is none. Of two processes that make one, both get the first. */
export async function activeRoot({ db, seals, publicUrl, now }: Sealing): Promise<SealRootRow> {
  const current = await currentRoot(db);
  if (current) return current;
  const key = newKey();
  const at = now();
  const { host } = new URL(publicUrl);
  const name = { commonName: `Root certificate of ${host}`, organization: "Sealdesk" };
  const certificate = rootCertificate({ name, key, at }).toString("base64");
  const private_key = encrypted(key, seals.wrappingKeys, usedFor.root({ certificate }));
  await db
    .insertInto("seal_roots")
    .values({ certificate, private_key, created_at: at.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await currentRoot(db))!;
}

/** The end of the address of a root's revocation list: the identifier of its key. */
export const listIdOf = ({ certificate }: Pick<SealRootRow, "certificate">) =>
  keyIdentifier(new X509Certificate(Buffer.from(certificate, "base64")).publicKey).toString("hex");

/** The last list (DER) that a root signed. */
export const listOf = ({ revocation_list }: Pick<SealRootRow, "revocation_list">) =>
  revocation_list === null ? undefined : Buffer.from(revocation_list, "base64");

const lastingKeys = (db: Db) =>
  db.selectFrom("seal_keys").where("retired_at", "is", null).where("revoked_at", "is", null);

/** The keys that sign: one of a company at most. */
export const activeKeys = (db: Db) => lastingKeys(db).where("used_from", "is not", null);

/** The keys that are published and will sign: one of a company at most. */
export const nextKeys = (db: Db) => lastingKeys(db).where("used_from", "is", null);

/** A company's current or next signing key. */
export const keyOf = (keys: ReturnType<typeof lastingKeys>, companyId: number): Promise<SealKeyRow | undefined> =>
  keys.where("company_id", "=", companyId).selectAll().executeTakeFirst();

/** Retires a key, whose private part goes. */
export const retireKey = (db: Db, id: number, now: Date) =>
  db.updateTable("seal_keys").set({ retired_at: now.toISOString(), private_key: null }).where("id", "=", id).execute();

/** What a certificate that is made now says of a company. */
export async function certifiedName(db: Db, companyId: number) {
  const company = db.selectFrom("companies").where("id", "=", companyId).select(["name", "country", "organization_id"]);
  const { name, country, organization_id } = await company.executeTakeFirstOrThrow();
  return {
    commonName: name,
    organization: name,
    country: countryCode(country),
    organizationId: organization_id || undefined,
  };
}

/** Makes a company's key, in a transaction that has its row: one that is used at once, if no other is, or the next one. */
export async function insertKey(
  db: Db,
  { seals, publicUrl, now }: Sealing,
  { companyId, root, isNext = false }: { companyId: number; root: SealRootRow; isNext?: boolean },
) {
  const name = await certifiedName(db, companyId);
  const issuer = {
    certificate: Buffer.from(root.certificate, "base64"),
    privateKey: rootKey(root, seals.wrappingKeys),
  };
  const at = now();
  for (;;) {
    const key = newKey();
    const publicKey = createPublicKey(key);
    const jwk = publicKey.export({ format: "jwk" }) as PublicJwk;
    const ids = { thumbprint: await thumbprintOf(jwk), short_id: await shortIdOf(jwk) };
    const certificate = leafCertificate({
      name,
      url: publicUrl,
      publicKey,
      keyId: Buffer.from(ids.thumbprint, "base64url"),
      revocationList: `${publicUrl}/.well-known/revocation-lists/${listIdOf(root)}`,
      at,
      issuer,
    });
    const inserted = await db
      .insertInto("seal_keys")
      .values({
        ...ids,
        company_id: companyId,
        root_id: root.id,
        x: jwk.x,
        y: jwk.y,
        certificate: certificate.toString("base64"),
        private_key: encrypted(key, seals.wrappingKeys, usedFor.key(ids)),
        created_at: at.toISOString(),
        used_from: isNext ? null : at.toISOString(),
      })
      // Codes carry the short id, so a key whose short id is taken is not used.
      .onConflict((conflict) => conflict.column("short_id").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!inserted) continue;
    await enterSealKey(db, inserted, { kind: otherKinds.sealKeyMade, at: inserted.created_at });
    return inserted;
  }
}

/** Retires keys whose private parts were not restored with them, and such roots, except one that an operator has elsewhere. */
export async function retireLostKeys(db: Db, now: Date) {
  const change = { retired_at: now.toISOString() };
  const roots = db.updateTable("seal_roots").set(change).where("retired_at", "is", null);
  const lost = await roots
    .where("private_key", "is", null)
    .where("key_removed_at", "is", null)
    .returning("id")
    .execute();
  const keys = db.updateTable("seal_keys").set(change).where("retired_at", "is", null).where("revoked_at", "is", null);
  const lostKeys = await keys.where("private_key", "is", null).returning("id").execute();
  const root = await currentRoot(db);
  return { isRootLost: lost.length > 0, areKeysLost: lostKeys.length > 0, isRootRemoved: root?.private_key === null };
}

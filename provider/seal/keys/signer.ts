import { sign } from "node:crypto";
import type { SealSigner } from "#lib/seal/cms.ts";
import type { EvidenceSigner } from "#lib/seal/evidence.ts";
import { daysLeft, type OperatorKey, requireValidNow } from "#lib/seal/operator-key.ts";
import { inCompanyTransaction } from "../../company/company-queries.ts";
import type { Services } from "../../services.ts";
import { currentList } from "./revocation-lists.ts";
import {
  activeKeys,
  activeRoot,
  decryptedKey,
  insertKey,
  keyOf,
  type SealKeyRow,
  type Sealing,
  usedFor,
} from "./stored-keys.ts";

/** Signs in a company's name. The private key never leaves it, so that a hardware token can stand behind it. */
export type CompanySigner = SealSigner &
  EvidenceSigner & {
    /** The first 4 bytes of the RFC 7638 thumbprint of the key that signs codes, hexadecimal. */
    shortId: string;
    /** Signs a code: ECDSA with P-256 and SHA-256, r‖s, 64 bytes. */
    signCode(message: Uint8Array): Promise<Buffer>;
  };

/** Returns the signer of a company, whose key and root certificate are made at first use. Throws `SealKeysLocked`. */
export async function companySigner(services: Sealing, companyId: number): Promise<CompanySigner> {
  const { seals } = services;
  const key = (await keyOf(activeKeys(services.db), companyId)) ?? (await makeKey(services, companyId));
  const privateKey = decryptedKey(key.private_key ?? "", seals.wrappingKeys, usedFor.key(key));
  const { chain, signFile, lists } = withDates(seals.operatorKey, services.now) ?? {
    ...(await chainOf(services, key)),
    signFile: async (message) => sign("sha256", message, privateKey),
  };
  return {
    chain,
    signFile,
    lists,
    shortId: key.short_id,
    signCode: async (message) => sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" }),
  };
}

/** An operator's certificates expire while a server runs. */
const withDates = (key: OperatorKey | undefined, now: Sealing["now"]): (OperatorKey & EvidenceSigner) | undefined =>
  key && {
    ...key,
    async signFile(message) {
      requireValidNow(key, now());
      return key.signFile(message);
    },
  };

const warnedDays = 30;

/** Logs that an operator's certificate expires soon: from then on nothing is sealed. */
export function warnBeforeExpiry({ seals, log, now }: Pick<Services, "seals" | "log" | "now">) {
  const days = seals.operatorKey && daysLeft(seals.operatorKey, now());
  if (days !== undefined && days < warnedDays) log.warn({ days }, "the operator's certificate expires soon");
}

/** Of two processes that make a company's key, both get the first. */
async function makeKey(services: Sealing, companyId: number) {
  const root = await activeRoot(services);
  return inCompanyTransaction(
    services.db,
    companyId,
    async (db) => (await keyOf(activeKeys(db), companyId)) ?? insertKey(db, services, { companyId, root }),
  );
}

/** A key's certificate and its root's, and the root's revocation list. */
async function chainOf(services: Sealing, { certificate, root_id }: SealKeyRow) {
  const roots = services.db.selectFrom("seal_roots").where("id", "=", root_id).selectAll();
  const root = await roots.executeTakeFirstOrThrow();
  return {
    chain: [certificate, root.certificate].map((base64) => Buffer.from(base64, "base64")),
    async lists() {
      const list = await currentList(services, root);
      return list ? [list] : [];
    },
  };
}

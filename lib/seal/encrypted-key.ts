import { type KeyObject, createCipheriv, createPrivateKey, randomBytes, scryptSync } from "node:crypto";
import { integer, octetString, oid, sequence } from "./der.ts";

/**
 * A private key as encrypted PKCS #8 in PEM, which openssl reads: PBES2 (RFC 8018) with scrypt (RFC 7914) and AES-256-CBC.
 * Node's own export has no scrypt, and its 2048 rounds of PBKDF2 are few for a passphrase that a person chose.
 */

const saltBytes = 16;
/** As costly as openssl decrypts without further options: 16 MB, and a quarter of a second. */
const cost = { N: 2 ** 14, r: 8, p: 5 };
const costs = [cost.N, cost.r, cost.p].map(integer);

const ids = { pbes2: "1.2.840.113549.1.5.13", scrypt: "1.3.6.1.4.1.11591.4.11", aes256Cbc: "2.16.840.1.101.3.4.1.42" };

/** `passphrase` has at most 1024 bytes. */
export function encryptedPem(privateKey: KeyObject, passphrase: string): string {
  const [salt, iv] = [randomBytes(saltBytes), randomBytes(16)];
  const cipher = createCipheriv("aes-256-cbc", scryptSync(normalized(passphrase), salt, 32, cost), iv);
  const content = privateKey.export({ type: "pkcs8", format: "der" });
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
  const derivation = sequence(oid(ids.scrypt), sequence(octetString(salt), ...costs));
  const encryption = sequence(oid(ids.aes256Cbc), octetString(iv));
  const algorithm = sequence(oid(ids.pbes2), sequence(derivation, encryption));
  return pemOf("ENCRYPTED PRIVATE KEY", sequence(algorithm, octetString(encrypted)));
}

/** Returns undefined if the passphrase is another one, or the key was altered. */
export function decryptedPem(pem: string, passphrase: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: pem, passphrase: normalized(passphrase) });
  } catch {
    return undefined;
  }
}

/** However the passphrase was typed. */
const normalized = (passphrase: string) => passphrase.normalize("NFC");

const pemOf = (label: string, der: Uint8Array) =>
  [
    `-----BEGIN ${label}-----`,
    ...Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g)!,
    `-----END ${label}-----`,
    "",
  ].join("\n");

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from "node:crypto";
import { mebibytesInBytes } from "../units.ts";

/** Encrypts private keys where they are stored: AES-256-GCM, under a secret of the configuration or a passphrase. */

/** A key that encrypts others. Its id stands in front of what it encrypted. */
export type WrappingKey = { id: string; key: Buffer };

const version = "1";
const cipher = "aes-256-gcm";
const [ivBytes, tagBytes] = [12, 16];

const derived = (secret: string, use: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "", `sealdesk seal keys: ${use}`, bytes));

/** Of a secret with enough entropy. */
export const secretKey = (secret: string): WrappingKey => ({
  id: `s${derived(secret, "id", 9).toString("base64url")}`,
  key: derived(secret, "encryption", 32),
});

const saltBytes = 16;
export const newSalt = () => randomBytes(saltBytes).toString("base64url");

/** Of a passphrase that a person chose: takes half a second and 128 MB. */
export const passphraseKey = (passphrase: string, salt: string): WrappingKey => ({
  id: `p${salt}`,
  key: scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64url"), 32, {
    N: 2 ** 17,
    r: 8,
    p: 1,
    maxmem: mebibytesInBytes(192),
  }),
});

/** Encrypts for one `use`: decryption for another is refused. */
export function wrap(content: Buffer, { id, key }: WrappingKey, use: string): string {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, key, iv).setAAD(Buffer.from(use));
  const encrypted = Buffer.concat([iv, encryption.update(content), encryption.final(), encryption.getAuthTag()]);
  return [version, id, encrypted.toString("base64url")].join(".");
}

/** The id of the key that encrypted it; undefined if this is not its form. */
export const wrappedBy = (stored: string) => /^1\.([sp][\w-]+)\.[\w-]+$/.exec(stored)?.[1];

/** Decrypts with the key that encrypted it; undefined without that key, or if it was altered or is for another use. */
export function unwrap(stored: string, keys: WrappingKey[], use: string): Buffer | undefined {
  const wrapping = keys.find(({ id }) => id === wrappedBy(stored));
  const bytes = Buffer.from(stored.split(".")[2] ?? "", "base64url");
  if (!wrapping || bytes.length < ivBytes + tagBytes) return undefined;
  const decryption = createDecipheriv(cipher, wrapping.key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(use))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decryption.update(bytes.subarray(ivBytes, -tagBytes)), decryption.final()]);
  } catch {
    return undefined;
  }
}

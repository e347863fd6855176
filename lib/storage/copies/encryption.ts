import { Readable } from "node:stream";
import { Decrypter, Encrypter } from "age-encryption";
import { startingWith } from "../files/files.ts";

/** Encryption to public keys in the format of age (https://age-encryption.org/v1), which its own programs also read. */

/** The content encrypted to all of some recipients (`age1…`); as it is if there are none. */
export async function encryptedTo(recipients: string[], content: Readable): Promise<Readable> {
  if (recipients.length === 0) return content;
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const encrypted = await encrypter.encrypt(Readable.toWeb(content) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(encrypted as Parameters<typeof Readable.fromWeb>[0]);
}

export class IdentityNeeded extends Error {}

const magic = "age-encryption.org/v1";

/** The content, decrypted by one of some private keys (`AGE-SECRET-KEY-1…`) if it is encrypted. Throws `IdentityNeeded`. */
export async function decryptedBy(identities: string[], content: Readable): Promise<Readable> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start = Buffer.of();
  while (start.length < magic.length) {
    const next = await chunks.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  const whole = Readable.from(startingWith([start], chunks), { objectMode: false });
  if (!start.toString("latin1").startsWith(magic)) return whole;
  if (identities.length === 0)
    throw new IdentityNeeded("is encrypted: give the file with its private key by --identity");
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    const decrypted = await decrypter.decrypt(Readable.toWeb(whole) as ReadableStream<Uint8Array>);
    return Readable.fromWeb(decrypted as Parameters<typeof Readable.fromWeb>[0]);
  } catch (error) {
    throw new IdentityNeeded(`can’t be decrypted by this identity (${(error as Error).message})`, { cause: error });
  }
}

export { generateIdentity, identityToRecipient } from "age-encryption";

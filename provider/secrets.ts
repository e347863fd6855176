import { unwrap, wrap } from "#lib/seal/wrapping.ts";
import type { Services } from "./services.ts";

/** Texts that must be read again, encrypted under SEAL_SECRET as seal keys are. A new secret encrypts them at start. */

type Keys = { seals: Pick<Services["seals"], "wrappingKeys"> };

/** A stored text that no SEAL_SECRET decrypts. */
export class SecretLocked extends Error {
  constructor(purpose: string) {
    super(`${purpose} is encrypted with another SEAL_SECRET: add that one to the list`);
  }
}

/** Encrypts a text for one purpose: decryption for another is refused, so that rows can't be exchanged. */
export const encryptSecret = ({ seals }: Keys, purpose: string, text: string): string =>
  wrap(Buffer.from(text), seals.wrappingKeys[0]!, purpose);

/** Throws `SecretLocked` if no secret decrypts it. */
export function decryptSecret({ seals }: Keys, purpose: string, stored: string): string {
  const text = unwrap(stored, seals.wrappingKeys, purpose);
  if (!text) throw new SecretLocked(purpose);
  return text.toString();
}

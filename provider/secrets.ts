import { unwrap, wrap } from "#seal/wrapping.ts";
import type { Services } from "./services.ts";

/** Texts that are stored encrypted with SEAL_SECRET, because they must be read again. */

/** What is stored was encrypted with a secret that SEAL_SECRET no longer has. */
export class SecretLocked extends Error {
  constructor() {
    super("It is encrypted with another SEAL_SECRET: add that one to the list");
  }
}

type Keys = Pick<Services, "seals">;

/** Encrypts a text for one purpose, which names its row: what is stored can't be moved to another one. */
export const encryptSecret = ({ seals }: Keys, purpose: string, text: string): string =>
  wrap(Buffer.from(text), seals.wrappingKeys[0]!, purpose);

/** Throws `SecretLocked` if no secret decrypts it, or if it was encrypted for another purpose. */
export function decryptSecret({ seals }: Keys, purpose: string, stored: string): string {
  const text = unwrap(stored, seals.wrappingKeys, purpose);
  if (!text) throw new SecretLocked();
  return text.toString();
}

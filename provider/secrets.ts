import { unwrap, wrap } from "#seal/wrapping.ts";
import type { Services } from "./services.ts";

/** Secrets that are read again, encrypted with SEAL_SECRET. `purpose` names what one is for, so that rows can't be exchanged. */

type Keys = Pick<Services, "seals">;

export const encryptSecret = ({ seals }: Keys, purpose: string, text: string): string =>
  wrap(Buffer.from(text), seals.wrappingKeys[0]!, purpose);

/** Throws `SecretLocked` if no SEAL_SECRET decrypts it. */
export function decryptSecret({ seals }: Keys, purpose: string, stored: string): string {
  const content = unwrap(stored, seals.wrappingKeys, purpose);
  if (!content) throw new SecretLocked();
  return content.toString();
}

/** A stored secret that was encrypted with another SEAL_SECRET. */
export class SecretLocked extends Error {
  constructor() {
    super("A stored secret is encrypted with another SEAL_SECRET: add that one to the list, or enter the secret again");
  }
}

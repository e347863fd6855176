import type { CopyCode } from "../documents/copies/copy-queries.ts";
import { verifyUrl } from "../documents/document-queries.ts";
import { codeOrigin } from "../hosts/host-queries.ts";
import type { Services } from "../services.ts";
import type { SealableDocument } from "./sealing.ts";
import { signedAddress } from "./signed-address.ts";
import { SealKeysLocked } from "./keys/stored-keys.ts";

/** The signed address for a copy's QR code, or the plain one while no key can sign. */
export const codeAddress = (services: Services, document: SealableDocument, copy: CopyCode) =>
  signedAddress(services, document, copy).catch(async (error: unknown) => {
    logLocked(services, error);
    return verifyUrl(await codeOrigin(services, document), copy.code);
  });

/** Rethrows other errors. */
export function logLocked({ log }: Services, error: unknown) {
  if (!(error instanceof SealKeysLocked)) throw error;
  log.error({ reason: error.message }, error.event);
}

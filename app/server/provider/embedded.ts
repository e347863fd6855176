import { qrPng } from "#lib/page-files/seal/qr.ts";
import { setShipping } from "#provider/audit/ship.ts";
import type { AccessTrail } from "#provider/audit/access-trail.ts";
import { watchStorage } from "#provider/company/storage.ts";
import { tokenOf, type Config } from "#lib/config.ts";
import { isMailFailing } from "#provider/mail/outbox.ts";
import { changeOperatorKey, openServices } from "#provider/open-services.ts";
import { loadWhereUsed } from "#provider/passkeys/relying-party.ts";
import { createProvider, type Provider } from "#provider/provider.ts";
import { rewrapKeys } from "#provider/seal/keys/re-encrypt.ts";
import { SealKeysLocked } from "#provider/seal/keys/stored-keys.ts";
import { firstStartToken } from "#provider/sessions/signup.ts";

export type Embedded = Provider & {
  firstStartLink: string | undefined;
  access: AccessTrail;
  isMailFailing(): Promise<boolean>;
  /** Takes the operator's key for sealed PDFs from changed settings. Throws `OperatorKeyRefused`. */
  changeKey(settings: Config): Promise<void>;
};

export async function openEmbedded(...opening: Parameters<typeof openServices>): Promise<Embedded> {
  const services = await openServices(...opening);
  watchStorage(services);
  await setShipping(services);
  const { locked } = await rewrapKeys(services.db, services.seals.wrappingKeys);
  if (locked > 0) {
    const { message: reason, event } = new SealKeysLocked();
    services.log.error({ keys: locked, reason }, event);
  }
  // A process takes 40 to 90 ms to draw its first code. It does so before the first request for one.
  qrPng(services.publicUrl);
  await loadWhereUsed(services.db);
  const token = await firstStartToken(services.db, services.now());
  return {
    ...createProvider(services),
    access: services.access,
    isMailFailing: () => isMailFailing(services),
    changeKey: (settings) => changeOperatorKey(services, settings, tokenOf(settings)),
    firstStartLink: token && `${services.publicUrl}/signup?token=${token}`,
  };
}

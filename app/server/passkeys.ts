import { config } from "#config";
import { passkeyHost } from "#provider/contract/passkey-host.ts";

/** Whether pages offer passkeys: those of another provider do not. */
export function hasPasskeys(): boolean {
  const { PROVIDER_URL, PUBLIC_URL } = config();
  return !PROVIDER_URL && passkeyHost(PUBLIC_URL) !== undefined;
}

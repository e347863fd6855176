import { config } from "#lib/config.ts";
import { passkeyHost } from "#provider/contract/passkey-host.ts";

export function hasPasskeys(): boolean {
  const { PROVIDER_URL, PUBLIC_URL } = config();
  return !PROVIDER_URL && passkeyHost(PUBLIC_URL) !== undefined;
}

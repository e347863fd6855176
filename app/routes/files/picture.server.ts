import { bytesWithin } from "#lib/bytes-within.ts";
import { t } from "#lib/messages/staff.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { asPng } from "../../server/page-work.ts";
import type { ProviderClient } from "../../server/provider/client-types.ts";
import { asFailure, failure } from "../../server/provider/failure.ts";

const maxBytes = mebibytesInBytes(2);

/**
 * A picture by the provider's call for it, or from providers without that call, at the address in the record: re-encoded,
 * and from the provider's own origin only.
 */
export async function providerPicture(
  provider: ProviderClient,
  byCall: () => Promise<Response>,
  addressOf: () => Promise<string>,
): Promise<Response> {
  try {
    return await byCall();
  } catch (thrown) {
    if (!asFailure(thrown, 404, 501)) throw thrown;
    const address = await addressOf();
    if (!address) throw thrown;
    const png = await asPng(await bytesAt(provider, address));
    return new Response(png, { headers: { "content-type": "image/png", "cache-control": "private, no-store" } });
  }
}

/** The bytes in a data URL, or at an address of the provider. */
async function bytesAt(provider: ProviderClient, address: string): Promise<Uint8Array<ArrayBuffer>> {
  const isInline = address.startsWith("data:");
  // A malformed data URL counts as a picture without bytes.
  const response = isInline ? await fetch(address).catch(() => new Response()) : await provider.file(address);
  const tooMany = () => failure(502, { kind: "unreachable", message: t("common.providersPictureTooLarge") });
  return bytesWithin(response.body ?? [], maxBytes, tooMany);
}

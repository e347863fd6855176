import { getProvider } from "../../server/provider/context.ts";
import { asFailure, failure } from "../../server/provider/failure.ts";
import { opened } from "../../server/start.ts";
import type { Route } from "./+types/qr-code";
import { passOn } from "./pass-on.ts";

/** The QR code; with `?download` for saving, named with the Unix seconds (`spec.md` section 2). */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const response = passOn(await qrCode(getProvider(context), params));
  if (url.searchParams.has("download")) {
    const seconds = Math.floor(Date.now() / 1000);
    response.headers.set("content-disposition", `attachment; filename="${seconds}.png"`);
    response.headers.set("cache-control", "no-store");
  }
  return response;
}

/** The code that the provider draws, or else the picture that the document itself names. */
async function qrCode(provider: ReturnType<typeof getProvider>, params: { id: string }): Promise<Response> {
  try {
    return await provider.getQrCode({ params });
  } catch (thrown) {
    if (!asFailure(thrown, 404, 501)) throw thrown;
    const { files } = await provider.getDocument({ params });
    if (!files.qrcode) throw thrown;
    const { pageFiles } = await opened();
    const png = await pageFiles.asPng({ picture: await pictureAt(provider, files.qrcode) });
    if (!png) throw failure(502, { kind: "unreachable", message: "The provider’s QR code is not a picture." });
    return new Response(png, { headers: { "content-type": "image/png", "cache-control": "private, no-store" } });
  }
}

const largest = 2 * 1024 * 1024;

/** The bytes of a picture: in a data URL, or at an address of the provider. */
async function pictureAt(provider: ReturnType<typeof getProvider>, address: string): Promise<Uint8Array<ArrayBuffer>> {
  const isInline = address.startsWith("data:");
  // A broken data URL is a picture without bytes.
  const response = isInline ? await fetch(address).catch(() => new Response()) : await provider.file(address);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > largest) throw failure(502, { kind: "unreachable", message: "The provider’s QR code is too large." });
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

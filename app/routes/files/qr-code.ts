import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/qr-code";
import { forwardFile } from "./forward.server.ts";
import { providerPicture } from "./picture.server.ts";

/** The QR code; with `?download` to save, named by the Unix seconds (`docs/specification.md` section 2). */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const code = await providerPicture(
    provider,
    () => provider.getQrCode({ params }),
    async () => (await provider.getDocument({ params })).files.qrcode,
  );
  const response = forwardFile(code);
  if (url.searchParams.has("download")) {
    const seconds = Math.floor(Date.now() / 1000);
    response.headers.set("content-disposition", `attachment; filename="${seconds}.png"`);
  }
  return response;
}

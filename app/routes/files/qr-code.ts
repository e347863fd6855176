import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/qr-code";
import { copyQuery } from "./copy-query.ts";
import { forwardFile } from "../../server/provider/forward-file.ts";
import { providerPicture } from "./picture.server.ts";

/** The QR code, or that of a copy; with `?download` to save, named by the Unix seconds (`docs/specification.md` section 2). */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const query = copyQuery(url);
  const byCall = () => provider.getQrCode({ params, query });
  // The document itself has the code of its first copy alone.
  const code = query.copy
    ? await byCall()
    : await providerPicture(provider, byCall, async () => (await provider.getDocument({ params })).files.qrcode);
  const response = forwardFile(code);
  if (url.searchParams.has("download")) {
    const seconds = Math.floor(Date.now() / 1000);
    response.headers.set("content-disposition", `attachment; filename="${seconds}.png"`);
  }
  return response;
}

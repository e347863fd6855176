import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/qr-code";
import { passOn } from "./pass-on.ts";

/** The QR code; with `?download` for saving, named with the Unix seconds (`spec.md` section 2). */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const response = passOn(await getProvider(context).getQrCode({ params }));
  if (url.searchParams.has("download")) {
    const seconds = Math.floor(Date.now() / 1000);
    response.headers.set("content-disposition", `attachment; filename="${seconds}.png"`);
    response.headers.set("cache-control", "no-store");
  }
  return response;
}

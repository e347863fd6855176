import { mayGetCertificate } from "../../server/request/find-host.ts";
import type { Route } from "./+types/confirmed-host";

/** Whether the proxy may get a certificate for the host `?domain=`. */
export const loader = async ({ request, url }: Route.LoaderArgs) =>
  new Response(null, { status: (await mayGetCertificate(request, url.searchParams.get("domain") ?? "")) ? 200 : 404 });

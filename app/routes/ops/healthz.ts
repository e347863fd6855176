import { arrivalOf } from "../../server/request/arrival.ts";
import type { Route } from "./+types/healthz";

/** Liveness probe: checks no dependencies. */
export const loader = ({ request }: Route.LoaderArgs) =>
  arrivalOf(request) ?? new Response("ok\n", { headers: { "content-type": "text/plain" } });

import { arrivalOf } from "../../server/request/arrival.ts";
import { alive } from "../../server/process/version.ts";
import type { Route } from "./+types/healthz";

/** Liveness probe: checks no dependencies, and says version and commit. */
export const loader = ({ request }: Route.LoaderArgs) =>
  arrivalOf(request) ?? new Response(alive, { headers: { "content-type": "text/plain" } });

import { failedChecks } from "../../server/process/readiness.ts";

/** Readiness probe: 503 with the failed checks. */
export async function loader() {
  const missing = await failedChecks();
  return Response.json(
    { ready: missing.length === 0, missing },
    { status: missing.length === 0 ? 200 : 503, headers: missing.length === 0 ? {} : { "retry-after": "5" } },
  );
}

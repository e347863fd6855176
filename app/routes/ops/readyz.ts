import { failedChecks } from "../../server/process/readiness.ts";

/** For whoever spreads requests over processes: whether this one can do its work, and if not, why. */
export async function loader() {
  const missing = await failedChecks();
  return Response.json(
    { ready: missing.length === 0, missing },
    { status: missing.length === 0 ? 200 : 503, headers: missing.length === 0 ? {} : { "retry-after": "5" } },
  );
}

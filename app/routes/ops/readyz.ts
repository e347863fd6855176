import { readiness } from "../../server/process/readiness.ts";

/** Readiness probe: 503 with what is missing; 200 also while something that processes share is degraded. */
export async function loader() {
  const { missing, degraded, last } = await readiness();
  const ready = missing.length === 0;
  return Response.json(
    { ready, missing, degraded, ...last },
    { status: ready ? 200 : 503, headers: ready ? {} : { "retry-after": "5" } },
  );
}

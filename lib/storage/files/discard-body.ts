import { mebibytesInBytes } from "../../units.ts";

const maxDrainedBytes = mebibytesInBytes(210);

/** Drains a request's body, so that a client that still sends can read the response instead of a reset connection. */
export async function discardBody(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed) return;
  let bytes = 0;
  try {
    for await (const chunk of request.body) if ((bytes += chunk.length) > maxDrainedBytes) return;
  } catch {
    // The client disconnected.
  }
}

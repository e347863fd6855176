import { megabytesInBytes } from "#units";

/** The largest form of ours with its files, in bytes. */
const largest = megabytesInBytes(210);

/**
 * Reads the rest of a request's body and drops it, so that a browser which is still sending reads the reply instead of
 * a broken connection. What is longer than any form of ours is cut off.
 */
export async function discardBody(request: Request) {
  if (!request.body || request.bodyUsed) return;
  let bytes = 0;
  try {
    for await (const chunk of request.body) if ((bytes += chunk.length) > largest) return;
  } catch {
    // The client went away.
  }
}

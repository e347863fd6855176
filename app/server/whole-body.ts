import type { IncomingMessage } from "node:http";

/** A form that brings a password is far shorter, in bytes. What is buffered before somebody reads it can be longer. */
const longest = 16 * 1024;

/** Why a body is not waited for: the status that says so. */
export type BodyRefusal = 408 | 411 | 413;

/**
 * Resolves once a request's whole body has arrived, without reading it: nothing scarce is held while a client sends.
 * Otherwise with the status of a refusal: its length is not told or too great, or `signal` is aborted before.
 */
export async function wholeBody(request: IncomingMessage, signal: AbortSignal): Promise<BodyRefusal | undefined> {
  const length = Number(request.headers["content-length"] ?? (request.headers["transfer-encoding"] ? Number.NaN : 0));
  if (!Number.isSafeInteger(length)) return 411;
  if (length > longest) return 413;
  const isHere = () => request.readableLength >= length || request.complete;
  if (isHere()) return undefined;
  return new Promise((resolve) => {
    const end = (refusal?: BodyRefusal) => {
      request.removeListener("readable", look);
      signal.removeEventListener("abort", late);
      resolve(refusal);
    };
    const look = () => isHere() && end();
    const late = () => end(408);
    request.on("readable", look);
    signal.addEventListener("abort", late, { once: true });
    if (signal.aborted) late();
  });
}

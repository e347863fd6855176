import type { IncomingMessage } from "node:http";

/** A form with a password is far shorter, in bytes. Of longer bodies the app refuses to read the end. */
const longest = 2 * 1024 * 1024;
/** How many bytes are held for all such forms together. */
const mostHeld = 64 * 1024 * 1024;
let held = 0;

/** `here` once it has arrived whole, `long` where it is too long for that, `late` where it did not arrive in time. */
export type Arrival = "here" | "long" | "late";

/**
 * Waits until a request's whole body has arrived, so that nothing scarce is held while a client sends. The request can be
 * read as before. What was held is counted until the returned `release` is called.
 */
export async function wholeBody(request: IncomingMessage, signal: AbortSignal) {
  const declared = Number(request.headers["content-length"] ?? 0);
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  const release = () => (held -= size);
  if (declared > longest) return { arrival: "long" as Arrival, release };
  const arrival = await new Promise<Arrival>((resolve) => {
    const end = (arrival: Arrival) => {
      request.removeListener("readable", read);
      signal.removeEventListener("abort", late);
      // In the same tick as the last of it was read, or the stream would be over.
      if (size > 0 && !request.destroyed) request.unshift(Buffer.concat(chunks));
      resolve(arrival);
    };
    const late = () => end("late");
    function read() {
      for (let chunk: Buffer | null; (chunk = request.read() as Buffer | null) !== null;) {
        chunks.push(chunk);
        size += chunk.length;
        held += chunk.length;
      }
      if (held > mostHeld) end("late");
      else if (size > longest) end("long");
      else if (request.complete || (!isChunked && size >= declared)) end("here");
    }
    signal.addEventListener("abort", late, { once: true });
    if (signal.aborted) return late();
    if (declared === 0 && !isChunked) return end("here");
    request.on("readable", read);
  });
  return { arrival, release };
}

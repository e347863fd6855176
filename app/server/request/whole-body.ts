import type { IncomingMessage } from "node:http";

/** A form with a password is far shorter, in bytes. */
const longest = 16 * 1024;

/** `here` once it has arrived whole, `long` as soon as it is longer than that, `late` where it did not arrive in time. */
export type Arrival = "here" | "long" | "late";

/**
 * Returns what waits until a request's whole body has arrived, so that nothing scarce is held while a client sends. The
 * request can be read as before. Where more than `mostAtOnce` arrive, the one that has taken the longest is late.
 */
export function createArrivals({ mostAtOnce }: { mostAtOnce: number }) {
  const arriving = new Set<() => void>();
  return async function wholeBody(request: IncomingMessage, signal: AbortSignal): Promise<Arrival> {
    const declared = Number(request.headers["content-length"] ?? 0);
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    if (declared > longest) return "long";
    const chunks: Buffer[] = [];
    let size = 0;
    return new Promise<Arrival>((resolve) => {
      const end = (arrival: Arrival) => {
        arriving.delete(late);
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
        }
        if (size > longest) end("long");
        else if (request.complete || (!isChunked && size >= declared)) end("here");
      }
      if (signal.aborted) return late();
      signal.addEventListener("abort", late, { once: true });
      if (declared === 0 && !isChunked) return end("here");
      const [slowest] = arriving;
      if (arriving.size >= mostAtOnce) slowest?.();
      arriving.add(late);
      request.on("readable", read);
    });
  };
}

import type { IncomingMessage } from "node:http";

/** Bytes; forms with a password are far shorter. */
const maxLength = 16 * 1024;

/** `here`: arrived whole; `long`: longer than `maxLength`; `late`: not arrived in time. */
export type Arrival = "here" | "long" | "late";

/**
 * Returns a function that waits for a request's whole body, so that a slow client holds nothing scarce; the request can
 * still be read afterwards. If more than `maxAtOnce` bodies are arriving, the oldest is late.
 */
export function createArrivals({ maxAtOnce }: { maxAtOnce: number }) {
  const arriving = new Set<() => void>();
  return async function wholeBody(request: IncomingMessage, signal: AbortSignal): Promise<Arrival> {
    const declared = Number(request.headers["content-length"] ?? 0);
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    if (declared > maxLength) return "long";
    const chunks: Buffer[] = [];
    let size = 0;
    return new Promise<Arrival>((resolve) => {
      const end = (arrival: Arrival) => {
        arriving.delete(late);
        request.removeListener("readable", read);
        signal.removeEventListener("abort", late);
        // In the tick of the last read: afterwards the stream has ended.
        if (size > 0 && !request.destroyed) request.unshift(Buffer.concat(chunks));
        resolve(arrival);
      };
      const late = () => end("late");
      function read() {
        for (let chunk: Buffer | null; (chunk = request.read() as Buffer | null) !== null;) {
          chunks.push(chunk);
          size += chunk.length;
        }
        if (size > maxLength) end("long");
        else if (request.complete || (!isChunked && size >= declared)) end("here");
      }
      if (signal.aborted) return late();
      signal.addEventListener("abort", late, { once: true });
      if (declared === 0 && !isChunked) return end("here");
      const [oldest] = arriving;
      if (arriving.size >= maxAtOnce) oldest?.();
      arriving.add(late);
      request.on("readable", read);
    });
  };
}

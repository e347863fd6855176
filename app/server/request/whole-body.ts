/** Bytes; forms with a password are far shorter. */
const maxLength = 16 * 1024;

export type Arrival = "here" | "long" | "late";

/** Waits for whole bodies, so that a slow client holds nothing scarce; beyond `maxAtOnce` the oldest is late. */
export function createArrivals({ maxAtOnce }: { maxAtOnce: number }) {
  const arriving = new Set<AbortController>();
  return async function wholeBody(request: Request, signal: AbortSignal): Promise<Arrival> {
    if (Number(request.headers.get("content-length") ?? 0) > maxLength) return "long";
    const dropped = new AbortController();
    const [oldest] = arriving;
    if (arriving.size >= maxAtOnce) oldest?.abort();
    arriving.add(dropped);
    const isOver = AbortSignal.any([signal, dropped.signal]);
    // The request's own body waits for its reader meanwhile.
    const body = request.clone().body?.getReader();
    const timeout = new Promise<"late">((resolve) => {
      if (isOver.aborted) resolve("late");
      isOver.addEventListener("abort", () => resolve("late"), { once: true });
    });
    try {
      return await Promise.race<Arrival>([body ? arrivalOf(body) : "here", timeout]);
    } finally {
      arriving.delete(dropped);
      body?.cancel().catch(() => {});
    }
  };
}

/** A body that breaks off counts as late, as no client waits for the reply. */
async function arrivalOf(body: ReadableStreamDefaultReader<Uint8Array>): Promise<Arrival> {
  let size = 0;
  try {
    for (let chunk = await body.read(); !chunk.done; chunk = await body.read()) {
      size += chunk.value.length;
      if (size > maxLength) return "long";
    }
  } catch {
    return "late";
  }
  return "here";
}

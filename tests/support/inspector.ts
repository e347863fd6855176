/** The inspector of a process that was started with `--inspect`. */
export type Inspected = {
  /** Returns the size of the heap after garbage collection. */
  heapMegabytes(): Promise<number>;
  close(): void;
};

/** Connects to a process by the address that it printed at its start. */
export async function inspect(output: string): Promise<Inspected> {
  const address = /ws:\/\/\S+/.exec(output)![0];
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let last = 0;
  const ask = <T>(method: string) =>
    new Promise<T>((resolve) => {
      const id = ++last;
      const hear = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as { id?: number; result: T };
        if (answer.id !== id) return;
        socket.removeEventListener("message", hear);
        resolve(answer.result);
      };
      socket.addEventListener("message", hear);
      socket.send(JSON.stringify({ id, method }));
    });
  const collected = async () => {
    await ask("HeapProfiler.collectGarbage");
    const { usedSize } = await ask<{ usedSize: number }>("Runtime.getHeapUsage");
    return usedSize / 1e6;
  };
  return {
    async heapMegabytes() {
      let least = await collected();
      // Finalizers release more for the next collection.
      for (let same = 0; same < 5; same++) {
        const now = await collected();
        if (now < least - 0.1) same = 0;
        least = Math.min(least, now);
      }
      return least;
    },
    close: () => socket.close(),
  };
}

import PQueue from "p-queue";

export type QueueOptions = {
  /** Goes before the others, in a waiting line of its own length. */
  isFirst?: boolean;
  /** Ends the wait, but not work that has begun. */
  signal?: AbortSignal | undefined;
};

type Settings = { concurrency: number; maxWaiting: number; refuse(): Error };

/** A bounded queue: work rejects with what `refuse` returns if the line is full or was left. */
export function createWorkQueue({ concurrency, maxWaiting, refuse }: Settings) {
  const queue = new PQueue({ concurrency });
  return {
    async run<T>(work: () => Promise<T>, { isFirst = false, signal }: QueueOptions = {}): Promise<T> {
      const priority = isFirst ? 1 : 0;
      if (signal?.aborted || queue.sizeBy({ priority }) >= maxWaiting) throw refuse();
      // Work that has begun is not aborted: until it ends, the next would run beside it.
      const wait = new AbortController();
      const leave = () => wait.abort(refuse());
      signal?.addEventListener("abort", leave, { once: true });
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        return work();
      };
      return queue.add(begin, { priority, signal: wait.signal }) as Promise<T>;
    },
    waiting: () => queue.size,
  };
}

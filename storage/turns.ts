import PQueue from "p-queue";

/** Work that only so many may do at once: the others wait in a short queue, and beyond that are refused. */

export type Turn = {
  /** Goes before those that are not; each kind has a queue of its own length. */
  isFirst?: boolean;
  /** Ends the wait, not the work once it has begun. */
  signal?: AbortSignal | undefined;
};

type Room = { atOnce: number; mostWaiting: number; refuse(): Error };

/** Returns what does work in turn; it rejects with what `refuse` makes where the queue is full or was left. */
export function createTurns({ atOnce, mostWaiting, refuse }: Room) {
  const queue = new PQueue({ concurrency: atOnce });
  return {
    async inTurn<T>(work: () => Promise<T>, { isFirst = false, signal }: Turn = {}): Promise<T> {
      const priority = isFirst ? 1 : 0;
      if (signal?.aborted || queue.sizeBy({ priority }) >= mostWaiting) throw refuse();
      // Aborting what runs would let another begin beside it, as nothing stops a hash half way.
      const wait = new AbortController();
      const leave = () => wait.abort(refuse());
      signal?.addEventListener("abort", leave, { once: true });
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        return work();
      };
      return queue.add(begin, { priority, signal: wait.signal }) as Promise<T>;
    },
    /** How much work waits for its turn. */
    waiting: () => queue.size,
  };
}

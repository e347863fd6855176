/** Staff first; visitors of public pages last. */
const priorities = ["staff", "background", "public"] as const;
export type Priority = (typeof priorities)[number];

/** Who waits for a job, until the signal aborts. Tenants take turns. */
export type Requester = { tenant: string; priority: Priority; signal?: AbortSignal | undefined };

/** The requesters of a shared job, which has the best of their priorities and is dropped when the last has left. */
export class Requesters {
  private readonly waiting = new Set<Requester>();
  private readonly left = new AbortController();
  private readonly over = new AbortController();
  private last: Requester;

  constructor(first: Requester) {
    this.last = first;
    this.add(first);
  }

  add(requester: Requester) {
    const { signal } = requester;
    this.waiting.add(requester);
    const leave = () => {
      this.waiting.delete(requester);
      this.last = requester;
      if (this.waiting.size === 0) this.left.abort(signal?.reason);
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true, signal: this.over.signal });
  }

  /** Aborts when no requester is left. */
  get signal(): AbortSignal {
    return this.left.signal;
  }

  /** The first requester with the best priority, or the last that has left. */
  get best(): Requester {
    const [first = this.last, ...others] = this.waiting;
    return others.reduce((best, one) => (rank(one) < rank(best) ? one : best), first);
  }

  /** Stops listening to the requesters' signals. */
  end() {
    this.over.abort();
  }
}

/** 0 for the most urgent priority. */
export const rank = ({ priority }: { priority: Priority }) => priorities.indexOf(priority);

/** Requesters of page work: their priority, and whether they still wait. */

/** Staff wait for their answer; drawing in the background can wait; visitors of public pages come last. */
const priorities = ["staff", "background", "public"] as const;
export type Priority = (typeof priorities)[number];

/** A party that wants a job done. Tenants take turns; with the signal's abort this party no longer waits. */
export type Requester = { tenant: string; priority: Priority; signal?: AbortSignal | undefined };

/** The requesters of one job: it has the best priority among theirs, and is dropped when the last one has left. */
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

  /** The requester with the best priority, the first of several; when all have left, the last of them. */
  get best(): Requester {
    const [first = this.last, ...others] = this.waiting;
    return others.reduce((best, one) => (rank(one) < rank(best) ? one : best), first);
  }

  /** Stops listening to the requesters' signals: the job is over. */
  end() {
    this.over.abort();
  }
}

/** 0 for the most urgent priority. */
export const rank = ({ priority }: { priority: Priority }) => priorities.indexOf(priority);

import { metrics } from "#metrics";
import { PageWorkBusy } from "./refusals.ts";
import type { Priority, Requester } from "./requesters.ts";

/** How many jobs of one tenant, and of all, may wait or run at once. */
export type PlaceLimits = Record<Priority, { tenant: number; total: number }>;

/** The places in the queue, which are taken before anything is done for a job. */
export class Places {
  private readonly limits: PlaceLimits;
  private readonly taken = new Map<string, number>();

  constructor(limits: PlaceLimits) {
    this.limits = limits;
  }

  /** Takes a place, or throws `PageWorkBusy`. What it returns gives the place back. */
  take({ priority, tenant }: Requester): () => void {
    const [all, own] = [priority, `${priority} ${tenant}`];
    const limit = this.limits[priority];
    const full = this.count(own) >= limit.tenant ? "tenant" : this.count(all) >= limit.total ? "total" : undefined;
    if (full) {
      metrics.pageWorkRefused.inc({ priority, limit: full });
      throw new PageWorkBusy();
    }
    this.add(all, 1);
    this.add(own, 1);
    metrics.pageWorkWaiting.inc({ priority });
    return () => {
      this.add(all, -1);
      this.add(own, -1);
      metrics.pageWorkWaiting.dec({ priority });
    };
  }

  private count(key: string) {
    return this.taken.get(key) ?? 0;
  }

  private add(key: string, change: number) {
    const count = this.count(key) + change;
    if (count > 0) this.taken.set(key, count);
    else this.taken.delete(key);
  }
}

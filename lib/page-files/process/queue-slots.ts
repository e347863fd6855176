import { metrics } from "../../metrics.ts";
import { PageWorkBusy } from "../refusals.ts";
import type { Priority, Requester } from "./requesters.ts";

/** How many jobs of a tenant, and in total, may wait or run at once. */
export type SlotLimits = Record<Priority, { tenant: number; total: number }>;

export class QueueSlots {
  private readonly limits: SlotLimits;
  private readonly taken = new Map<string, number>();

  constructor(limits: SlotLimits) {
    this.limits = limits;
  }

  /** Takes a slot and returns its release. Throws `PageWorkBusy`. */
  take({ priority, tenant }: Requester): () => void {
    const [all, ofTenant] = [priority, `${priority} ${tenant}`];
    const limit = this.limits[priority];
    const full = this.count(ofTenant) >= limit.tenant ? "tenant" : this.count(all) >= limit.total ? "total" : undefined;
    if (full) {
      metrics.pageWorkRefused.inc({ priority, limit: full });
      throw new PageWorkBusy();
    }
    this.add(all, 1);
    this.add(ofTenant, 1);
    metrics.pageWorkWaiting.inc({ priority });
    return () => {
      this.add(all, -1);
      this.add(ofTenant, -1);
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

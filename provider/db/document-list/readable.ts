import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { minutesInMs } from "#units";
import type { Actor } from "../../access.ts";
import type { Tables } from "../tables.ts";
import { documentList } from "./index.ts";

type Count = { total: number; isCapped: boolean };

/**
 * Returns a function that counts the documents that an actor may read, archived ones as well; capped where there are more
 * than `limit`. Documents are never deleted, so that count is stored while rights and branch stay: 4 ms less for each page.
 */
export function createReadableCount(db: Kysely<Tables>, limit: number): (actor: Actor) => Promise<Count> {
  const capped = new LRUCache<string, Count>({ max: 1000, ttl: minutesInMs(10) });
  return async (actor) => {
    const { id, branch_id, access_group_id, permissions } = actor;
    const key = JSON.stringify([id, branch_id, access_group_id, permissions]);
    const stored = capped.get(key);
    if (stored) return stored;
    const count = await (await documentList(db, actor, {}, { tuning: { countLimit: limit } })).total();
    if (count.isCapped) capped.set(key, count);
    return count;
  };
}

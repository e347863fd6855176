import { LRUCache } from "lru-cache";
import { RateLimiterMemory, type RateLimiterAbstract } from "rate-limiter-flexible";

/** A rate limit of `points` for each key; `rate-limiter-flexible` describes its methods. */
export type Limiter = Pick<
  RateLimiterAbstract,
  "keyPrefix" | "points" | "consume" | "penalty" | "reward" | "get" | "delete"
>;

/** How many keys all limits together count: some 50 MB, whatever addresses and accounts strangers make up. */
const mostKeys = 100_000;

/**
 * Makes rate limits that count in memory: two of the same name together, as they do in a database. Beyond `most` keys,
 * the one that was counted longest ago is forgotten.
 */
export function limitersInMemory(most = mostKeys) {
  const counted = new LRUCache<string, { limiter: RateLimiterMemory; key: string }>({
    // Bounded by size, as lists for so many would be made at once by `max`: 20 ms of every start.
    maxSize: most,
    sizeCalculation: () => 1,
    dispose: ({ limiter, key }, _, reason) => {
      if (reason === "evict") void limiter.delete(key);
    },
  });
  const made = new Map<string, Limiter>();
  const make = (own: string, name: string, points: number, seconds: number): Limiter => {
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
    const noting =
      <Method extends "consume" | "penalty" | "reward">(method: Method) =>
      (key: string | number, by?: number) => {
        counted.set(`${own} ${key}`, { limiter, key: String(key) });
        return limiter[method](key, by);
      };
    return {
      keyPrefix: name,
      points,
      consume: noting("consume"),
      penalty: noting("penalty"),
      reward: noting("reward"),
      get: (key) => limiter.get(key),
      delete(key) {
        counted.delete(`${own} ${key}`);
        return limiter.delete(key);
      },
    };
  };
  return (name: string, points: number, seconds: number): Limiter => {
    const own = `${name} ${points} ${seconds}`;
    const limiter = made.get(own) ?? make(own, name, points, seconds);
    made.set(own, limiter);
    return limiter;
  };
}

import { LRUCache } from "lru-cache";
import { RateLimiterMemory, type RateLimiterAbstract } from "rate-limiter-flexible";

export type Limiter = Pick<
  RateLimiterAbstract,
  "keyPrefix" | "points" | "duration" | "consume" | "penalty" | "reward" | "get" | "delete"
>;

/** All limits together: some 50 MB, however many addresses and accounts attackers make up. */
const maxKeys = 100_000;

/** Rate limits in memory. Equal ones share their counts, as in a database; beyond `maxSize` keys, the oldest is dropped. */
export function limitersInMemory(maxSize = maxKeys) {
  const counted = new LRUCache<string, { limiter: RateLimiterMemory; key: string }>({
    // Unlike `maxSize`, `max` allocates at once: 20 ms of every start.
    maxSize,
    sizeCalculation: () => 1,
    dispose: ({ limiter, key }, _, reason) => {
      if (reason === "evict") void limiter.delete(key);
    },
  });
  const made = new Map<string, Limiter>();
  const make = (own: string, name: string, points: number, seconds: number): Limiter => {
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
    const tracked =
      <Method extends "consume" | "penalty" | "reward">(method: Method) =>
      (key: string | number, by?: number) => {
        counted.set(`${own} ${key}`, { limiter, key: String(key) });
        return limiter[method](key, by);
      };
    return {
      keyPrefix: name,
      points,
      duration: seconds,
      consume: tracked("consume"),
      penalty: tracked("penalty"),
      reward: tracked("reward"),
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

import { LRUCache } from "lru-cache";
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { secondsInMs } from "../../units.ts";

export type Limiter = Pick<
  RateLimiterAbstract,
  "keyPrefix" | "points" | "duration" | "consume" | "penalty" | "reward" | "get" | "delete"
>;

type Count = { points: number; expires: number };

/** All limits together: some 20 MB, however many addresses and accounts attackers make up. */
const maxKeys = 100_000;

/**
 * Rate limits in memory. Equal ones share their counts, as in a database; beyond `maxSize` keys, the oldest is dropped. The library's own
 * have a timer for each key, and a crowd's keys, five a visitor, stopped the process for 15 ms several times a second to be collected.
 */
export function limitersInMemory(maxSize = maxKeys) {
  // Unlike `maxSize`, `max` allocates at once: 20 ms of every start.
  const counts = new LRUCache<string, Count>({ maxSize, sizeCalculation: () => 1 });
  return (name: string, points: number, seconds: number): Limiter => {
    const ownKey = (key: string | number) => `${name} ${points} ${seconds} ${key}`;
    const left = (count: Count) => {
      const msBeforeNext = Math.max(count.expires - Date.now(), 0);
      return new RateLimiterRes(Math.max(points - count.points, 0), msBeforeNext, count.points, count.points === 1);
    };
    const current = (key: string) => {
      const count = counts.get(key);
      return count && count.expires > Date.now() ? count : undefined;
    };
    const add = (key: string | number, by: number) => {
      const own = ownKey(key);
      const count = current(own) ?? { points: 0, expires: Date.now() + secondsInMs(seconds) };
      count.points += by;
      counts.set(own, count);
      return left(count);
    };
    return {
      keyPrefix: name,
      points,
      duration: seconds,
      async consume(key, by = 1) {
        const counted = add(key, by);
        if (counted.consumedPoints > points) throw counted;
        return counted;
      },
      penalty: async (key, by = 1) => add(key, by),
      reward: async (key, by = 1) => add(key, -by),
      async get(key) {
        const count = current(ownKey(key));
        return count ? left(count) : null;
      },
      delete: async (key) => counts.delete(ownKey(key)),
    };
  };
}

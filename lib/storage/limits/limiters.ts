import { LRUCache } from "lru-cache";
import { secondsInMs } from "../../units.ts";

/** What a key has used of a limit. */
export type Usage = { consumedPoints: number; remainingPoints: number; msBeforeNext: number };

/** A limit of `points` in `duration` seconds for each key. */
export type Limiter = {
  keyPrefix: string;
  points: number;
  duration: number;
  /** Counts an attempt; throws the `Usage` beyond the limit. */
  consume(key: string): Promise<Usage>;
  /** Counts an attempt, also beyond the limit. */
  penalty(key: string): Promise<Usage>;
  /** Uncounts attempts. */
  reward(key: string, by?: number): Promise<Usage>;
  get(key: string): Promise<Usage | null>;
  delete(key: string): Promise<void>;
};

/** `expire` is the end of the key's window, in milliseconds since 1970. */
export type Count = { points: number; expire: number };

/** Where counts are: expired ones start anew. */
export type Counts = {
  add(key: string, by: number, seconds: number): Promise<Count>;
  get(key: string): Promise<Count | undefined>;
  delete(key: string): Promise<void>;
};

/** Makes limits. Equal ones share their counts. */
export const limitersOf =
  ({ add, get, delete: remove }: Counts) =>
  (name: string, points: number, seconds: number): Limiter => {
    const ownKey = (key: string) => `${name}:${key}`;
    const usage = (count: Count): Usage => ({
      consumedPoints: count.points,
      remainingPoints: Math.max(points - count.points, 0),
      msBeforeNext: Math.max(count.expire - Date.now(), 0),
    });
    const change = async (key: string, by: number) => usage(await add(ownKey(key), by, seconds));
    return {
      keyPrefix: name,
      points,
      duration: seconds,
      async consume(key) {
        const used = await change(key, 1);
        if (used.consumedPoints > points) throw used;
        return used;
      },
      penalty: (key) => change(key, 1),
      reward: (key, by = 1) => change(key, -by),
      async get(key) {
        const count = await get(ownKey(key));
        return count ? usage(count) : null;
      },
      delete: (key) => remove(ownKey(key)),
    };
  };

/** All limits together: some 20 MB, however many addresses and accounts attackers make up. */
const maxKeys = 100_000;

/** Rate limits in memory; beyond `maxSize` keys, the oldest is dropped. */
export function limitersInMemory(maxSize = maxKeys) {
  // Unlike `maxSize`, `max` allocates at once: 20 ms of every start.
  const counts = new LRUCache<string, Count>({ maxSize, sizeCalculation: () => 1 });
  const current = (key: string) => {
    const count = counts.get(key);
    return count && count.expire > Date.now() ? count : undefined;
  };
  return limitersOf({
    async add(key, by, seconds) {
      const { points, expire } = current(key) ?? { points: 0, expire: Date.now() + secondsInMs(seconds) };
      const count = { points: points + by, expire };
      counts.set(key, count);
      return count;
    },
    get: async (key) => current(key),
    delete: async (key) => void counts.delete(key),
  });
}

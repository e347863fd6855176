import { setImmediate as turnEnds } from "node:timers/promises";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { secondsInMs } from "../../units.ts";
import type { Limiter } from "./limiters.ts";
import { rateLimitsTable } from "../database/migrate.ts";

type Attempt = { key: string; seconds: number; resolve(counted: Counted): void; reject(error: unknown): void };
type Counted = { points: number; expire: number };

/** More than are counted in a second. */
const maxWaiting = 10_000;

/** Read as a database that has no connection left (`failures.ts`). */
const tooManyWaiting = () => Object.assign(new Error("too many attempts wait to be counted"), { code: "53300" });

/** Rate limits in PostgreSQL. Attempts that come together are counted by one statement, so that a crowd costs few commits. */
export function limitersInPostgres(pool: pg.Pool) {
  let waiting: Attempt[] = [];
  let isCounting = false;

  async function countAll() {
    isCounting = true;
    do {
      await turnEnds();
      const attempts = waiting;
      waiting = [];
      await countTogether(pool, attempts).catch((error: unknown) => {
        for (const { reject } of attempts) reject(error);
      });
    } while (waiting.length > 0);
    isCounting = false;
  }

  const count = (key: string, seconds: number) =>
    new Promise<Counted>((resolve, reject) => {
      if (waiting.length >= maxWaiting) throw tooManyWaiting();
      waiting.push({ key, seconds, resolve, reject });
      if (!isCounting) void countAll();
    });

  return (name: string, points: number, seconds: number): Limiter => {
    const single = new RateLimiterPostgres({
      storeClient: pool,
      tableName: rateLimitsTable,
      tableCreated: true,
      keyPrefix: name,
      points,
      duration: seconds,
      clearExpiredByTimeout: false,
    });
    return {
      keyPrefix: name,
      points,
      duration: seconds,
      penalty: single.penalty.bind(single),
      reward: single.reward.bind(single),
      get: single.get.bind(single),
      delete: single.delete.bind(single),
      async consume(key) {
        const counted = await count(single.getKey(key), seconds);
        const msBeforeNext = Math.max(counted.expire - Date.now(), 0);
        const remaining = Math.max(points - counted.points, 0);
        const left = new RateLimiterRes(remaining, msBeforeNext, counted.points, counted.points === 1);
        if (counted.points > points) throw left;
        return left;
      },
    };
  };
}

/** In the order of keys, so that no two processes wait for each other. */
async function countTogether(pool: pg.Pool, attempts: Attempt[]) {
  const now = Date.now();
  const byKey = [...Map.groupBy(attempts, ({ key }) => key)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { rows } = await pool.query<Counted & { key: string }>({
    name: "count attempts",
    text: `insert into ${rateLimitsTable} as r (key, points, expire)
      select * from unnest($1::varchar[], $2::integer[], $3::bigint[])
      on conflict (key) do update set
        points = case when r.expire <= $4 then excluded.points else r.points + excluded.points end,
        expire = case when r.expire <= $4 then excluded.expire else r.expire end
      returning key, points, expire`,
    values: [
      byKey.map(([key]) => key),
      byKey.map(([, same]) => same.length),
      byKey.map(([, [first]]) => now + secondsInMs(first!.seconds)),
      now,
    ],
  });
  const counted = new Map(rows.map((row) => [row.key, row]));
  for (const [key, same] of byKey) {
    const { points, expire } = counted.get(key)!;
    for (const [n, { resolve }] of same.entries()) resolve({ points: points - same.length + n + 1, expire });
  }
}

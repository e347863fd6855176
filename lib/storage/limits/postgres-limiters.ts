import { setImmediate as turnEnds } from "node:timers/promises";
import type pg from "pg";
import { secondsInMs } from "../../units.ts";
import { rateLimitsTable } from "../database/migrate.ts";
import { type Count, limitersOf } from "./limiters.ts";

type Change = { key: string; by: number; seconds: number; resolve(count: Count): void; reject(error: unknown): void };

/** More than are counted in a second. */
const maxWaiting = 10_000;

/** Read as a database that has no connection left (`lib/storage/database/failures.ts`). */
const tooManyWaiting = () => Object.assign(new Error("too many attempts wait to be counted"), { code: "53300" });

/** Rate limits in PostgreSQL. Attempts that come together are counted by one statement, so that a crowd costs few commits. */
export function limitersInPostgres(pool: pg.Pool) {
  let waiting: Change[] = [];
  let isCounting = false;

  async function countAll() {
    isCounting = true;
    do {
      await turnEnds();
      const changes = waiting;
      waiting = [];
      await countTogether(pool, changes).catch((error: unknown) => {
        for (const { reject } of changes) reject(error);
      });
    } while (waiting.length > 0);
    isCounting = false;
  }

  return limitersOf({
    add: (key, by, seconds) =>
      new Promise<Count>((resolve, reject) => {
        if (waiting.length >= maxWaiting) throw tooManyWaiting();
        waiting.push({ key, by, seconds, resolve, reject });
        if (!isCounting) void countAll();
      }),
    async get(key) {
      const text = `select points, expire from ${rateLimitsTable} where key = $1 and expire > $2`;
      return (await pool.query<Count>(text, [key, Date.now()])).rows[0];
    },
    async delete(key) {
      await pool.query(`delete from ${rateLimitsTable} where key = $1`, [key]);
    },
  });
}

/** In the order of keys, so that no two processes wait for each other. */
async function countTogether(pool: pg.Pool, changes: Change[]) {
  const now = Date.now();
  const byKey = [...Map.groupBy(changes, ({ key }) => key)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sums = byKey.map(([, same]) => same.reduce((sum, { by }) => sum + by, 0));
  const { rows } = await pool.query<Count & { key: string }>({
    text: `insert into ${rateLimitsTable} as r (key, points, expire)
      select * from unnest($1::varchar[], $2::integer[], $3::bigint[])
      on conflict (key) do update set
        points = case when r.expire <= $4 then excluded.points else r.points + excluded.points end,
        expire = case when r.expire <= $4 then excluded.expire else r.expire end
      returning key, points, expire`,
    values: [byKey.map(([key]) => key), sums, byKey.map(([, [first]]) => now + secondsInMs(first!.seconds)), now],
  });
  const counted = new Map(rows.map((row) => [row.key, row]));
  for (const [n, [key, same]] of byKey.entries()) {
    const { points: total, expire } = counted.get(key)!;
    let points = total - sums[n]!;
    for (const { by, resolve } of same) resolve({ points: (points += by), expire });
  }
}

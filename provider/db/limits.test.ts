import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { templateDatabase } from "#tests/fixtures/database.ts";
import { afterTests, hasDatabase } from "#tests/fixtures/provider.ts";

async function newDatabase() {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-limits-"));
  const { open, drop } = await templateDatabase(directory);
  const database = await open();
  afterTests(async () => {
    await database.close();
    await drop();
    await rm(directory, { recursive: true });
  });
  return database;
}

describe.runIf(hasDatabase())("attempts that come together", () => {
  test("are counted each, of each key and limit by itself", async () => {
    const { limiter } = await newDatabase();
    const [forty, other] = [limiter("forty", 40, 600), limiter("other", 40, 600)];
    const attempts = Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0 ? forty.consume("a") : other.consume(`b${n % 4}`),
    );
    const results = await Promise.allSettled(attempts);
    const counted = (of: (n: number) => boolean) =>
      results
        .filter((_, n) => of(n))
        .map((result) => (result.status === "fulfilled" ? result.value : (result.reason as { consumedPoints: number })))
        .map(({ consumedPoints }) => consumedPoints)
        .toSorted((a, b) => a - b);
    const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
    expect(counted((n) => n % 2 === 0)).toEqual(upTo(50));
    expect(counted((n) => n % 4 === 1)).toEqual(upTo(25));
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(10);
    expect(await forty.get("a")).toMatchObject({ consumedPoints: 50, remainingPoints: 0 });
    await expect(forty.consume("a")).rejects.toMatchObject({ consumedPoints: 51 });
    await other.reward("b1");
    await expect(other.consume("b1")).resolves.toMatchObject({ consumedPoints: 25, remainingPoints: 15 });
  });

  test("begin anew once their window is over", async () => {
    const database = await newDatabase();
    if (!database.isShared) return;
    const limit = database.limiter("one", 1, 600);
    await limit.consume("a");
    await expect(limit.consume("a")).rejects.toMatchObject({ consumedPoints: 2 });
    await sql`update rate_limits set expire = ${Date.now() - 1}`.execute(database.tables<object>());
    await expect(limit.consume("a")).resolves.toMatchObject({ consumedPoints: 1 });
  });

  test("fail together if the database is gone, and not for ever", async () => {
    const database = await newDatabase();
    if (!database.isShared) return;
    const limit = database.limiter("one", 1, 600);
    await sql`alter table rate_limits rename to elsewhere`.execute(database.tables<object>());
    const failed = await Promise.allSettled([limit.consume("a"), limit.consume("b")]);
    expect(failed.map((result) => result.status === "rejected" && result.reason instanceof Error)).toEqual([
      true,
      true,
    ]);
    await sql`alter table elsewhere rename to rate_limits`.execute(database.tables<object>());
    await expect(limit.consume("a")).resolves.toMatchObject({ consumedPoints: 1 });
  });
});

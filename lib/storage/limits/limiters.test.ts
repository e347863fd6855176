import { expect, test } from "vitest";
import { limitersInMemory } from "./limiters.ts";

test("limits in memory track a bounded number of keys, and drop the oldest", async () => {
  const limiter = limitersInMemory(100);
  const [first, second] = [limiter("first", 10, 600), limiter("second", 10, 600)];
  await first.consume("old");
  for (let n = 0; n < 100; n++) await second.consume(`key ${n}`);
  expect(await first.get("old")).toBeNull();
  expect((await second.get("key 0"))?.consumedPoints).toBe(1);
  // Counted again, it is no longer the oldest.
  await second.consume("key 0");
  await first.consume("old");
  expect((await second.get("key 0"))?.consumedPoints).toBe(2);
  expect(await second.get("key 1")).toBeNull();
});

test("a limit refuses further points, and returns rewarded ones", async () => {
  const limit = limitersInMemory()("limit", 2, 600);
  await limit.consume("key");
  await limit.consume("key");
  await expect(limit.consume("key")).rejects.toMatchObject({ consumedPoints: 3 });
  await limit.reward("key", 2);
  await expect(limit.consume("key")).resolves.toMatchObject({ consumedPoints: 2 });
  await limit.delete("key");
  expect(await limit.get("key")).toBeNull();
});

test("two equal limits share their counts", async () => {
  const limiter = limitersInMemory();
  await limiter("same", 2, 600).consume("key");
  expect((await limiter("same", 2, 600).get("key"))?.consumedPoints).toBe(1);
  expect(await limiter("other", 2, 600).get("key")).toBeNull();
});

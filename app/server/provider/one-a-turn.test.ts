import { expect, test } from "vitest";
import { turnsDuring } from "#fixtures/turns.ts";
import { oneATurn } from "./one-a-turn.ts";

test("a page's calls begin in order, each with others' turns before it but the first", async () => {
  const begun: number[] = [];
  const call = oneATurn(async (n: number) => begun.push(n));
  expect(await turnsDuring(() => Promise.all([1, 2, 3, 4].map((n) => call(n))))).toBeGreaterThanOrEqual(2);
  expect(begun).toEqual([1, 2, 3, 4]);
});

test("a call after the others' turns begins at once", async () => {
  const call = oneATurn(async () => {});
  await call();
  await turnsDuring(() => new Promise((resolve) => setTimeout(resolve)));
  expect(await turnsDuring(() => call())).toBe(0);
});

test("a call that fails holds no other up", async () => {
  const call = oneATurn(async (isWell: boolean) => {
    if (!isWell) throw new Error("refused");
    return "answered";
  });
  const [failed, answered] = await Promise.allSettled([call(false), call(true)]);
  expect([failed.status, answered.status]).toEqual(["rejected", "fulfilled"]);
});

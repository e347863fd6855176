import { expect, test, vi } from "vitest";
import { turnsDuring } from "#tests/fixtures/turns.ts";
import { beginSlice } from "../process/slice.ts";
import { oneByOne } from "./one-by-one.ts";

/** A clock that goes on by what each of five calls takes. Returns the order of beginnings and ends, and others' turns meanwhile. */
async function fiveCalls({ milliseconds }: { milliseconds: number }) {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const order: string[] = [];
  const call = oneByOne(async (n: number) => {
    order.push(`${n} begins`);
    await Promise.resolve();
    now += milliseconds;
    order.push(`${n} ends`);
  }, beginSlice());
  const turns = await turnsDuring(() => Promise.all([1, 2, 3, 4, 5].map((n) => call(n))));
  clock.mockRestore();
  return { order, turns };
}

test("a page's calls are answered one by one", async () => {
  const { order } = await fiveCalls({ milliseconds: 1 });
  expect(order).toEqual([1, 2, 3, 4, 5].flatMap((n) => [`${n} begins`, `${n} ends`]));
});

test("short calls are answered in one turn of the event loop", async () => {
  expect((await fiveCalls({ milliseconds: 1 })).turns).toBe(0);
});

test("others get a turn after each long call but the last", async () => {
  expect((await fiveCalls({ milliseconds: 30 })).turns).toBeGreaterThanOrEqual(4);
});

test("a call that waits holds no other up", async () => {
  const begun: number[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const call = oneByOne(async (n: number) => {
    begun.push(n);
    if (n === 1) await answered;
    else answer();
  }, beginSlice());
  await Promise.all([call(1), call(2)]);
  expect(begun).toEqual([1, 2]);
});

test("a call that fails holds no other up", async () => {
  const call = oneByOne(async (isWell: boolean) => {
    if (!isWell) throw new Error("refused");
  }, beginSlice());
  const [failed, answered] = await Promise.allSettled([call(false), call(true)]);
  expect([failed.status, answered.status]).toEqual(["rejected", "fulfilled"]);
});

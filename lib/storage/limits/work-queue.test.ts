import fc from "fast-check";
import { expect, test } from "vitest";
import { createWorkQueue } from "./work-queue.ts";

/** A queue of work that the test ends, with the order in which it began. */
function fixture(concurrency: number, maxWaiting: number) {
  const { run, waiting } = createWorkQueue({ concurrency, maxWaiting, refuse: () => new Error("refused") });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  let [running, maxRunning] = [0, 0];
  const work = (name: string, turn = {}) => {
    const result = run(async () => {
      started.push(name);
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      running--;
      return name;
    }, turn);
    result.catch(() => {});
    return result;
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { work, end, started, waiting, maxRunning: () => maxRunning };
}

test("runs work up to the concurrency; the rest waits first come first served, up to the limit", async () => {
  const { work, end, started, waiting, maxRunning } = fixture(2, 3);
  const all = ["a", "b", "c", "d", "e"].map((name) => work(name));
  await expect(work("f")).rejects.toThrow("refused");
  expect([started, waiting()]).toEqual([["a", "b"], 3]);
  for (const name of ["b", "a", "c", "d", "e"]) await end(name);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d", "e"]);
  expect([started, maxRunning()]).toEqual([["a", "b", "c", "d", "e"], 2]);
});

test("priority work overtakes waiting work, and is taken when the other line is full", async () => {
  const { work, end, started } = fixture(1, 1);
  void work("running");
  void work("other");
  await expect(work("another")).rejects.toThrow("refused");
  void work("priority", { isFirst: true });
  await end("running");
  await end("priority");
  expect(started).toEqual(["running", "priority", "other"]);
});

test("an aborted wait leaves the queue; work that has begun goes on and nothing begins beside it", async () => {
  const { work, end, started, waiting, maxRunning } = fixture(1, 5);
  const [first, second] = [new AbortController(), new AbortController()];
  const running = work("running", { signal: first.signal });
  const abortedWork = work("left", { signal: second.signal });
  void work("last");
  first.abort();
  second.abort();
  await expect(abortedWork).rejects.toThrow("refused");
  expect([started, waiting()]).toEqual([["running"], 1]);
  await end("running");
  expect(await running).toBe("running");
  expect([started, maxRunning()]).toEqual([["running", "last"], 1]);
  await expect(work("late", { signal: AbortSignal.abort() })).rejects.toThrow("refused");
});

test("in any order of adding, ending and aborting, the limits on running and waiting work hold", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("add" as const), isFirst: fc.boolean() }),
    fc.record({ do: fc.constantFrom("end" as const, "abort" as const), which: fc.nat(50) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { work, end, started, waiting, maxRunning } = fixture(2, 3);
      const aborts: AbortController[] = [];
      for (const [n, one] of steps.entries()) {
        if (one.do === "add") {
          const abort = new AbortController();
          aborts.push(abort);
          void work(String(n), { isFirst: one.isFirst, signal: abort.signal });
        } else if (one.do === "abort") aborts[one.which % aborts.length]?.abort();
        else if (started.length > 0) await end(started[one.which % started.length]!);
        expect(waiting()).toBeLessThanOrEqual(6);
      }
      for (let n = 0; n < started.length; n++) await end(started[n]!);
      expect([waiting(), maxRunning() <= 2]).toEqual([0, true]);
    }),
    { numRuns: 50 },
  );
});

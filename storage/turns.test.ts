import fc from "fast-check";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

/** Work that ends when it is told to, and notes when it begins. */
function office(atOnce: number, mostWaiting: number) {
  const { inTurn, waiting } = createTurns({ atOnce, mostWaiting, refuse: () => new Error("refused") });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let [running, mostRunning] = [0, 0];
  const work = (name: string, turn = {}) => {
    const done = inTurn(async () => {
      begun.push(name);
      mostRunning = Math.max(mostRunning, ++running);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      running--;
      return name;
    }, turn);
    done.catch(() => {});
    return done;
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { work, end, begun, waiting, mostRunning: () => mostRunning };
}

test("no more is done at once than may be; the rest waits in the order in which it came, and no more than may", async () => {
  const { work, end, begun, waiting, mostRunning } = office(2, 3);
  const all = ["a", "b", "c", "d", "e"].map((name) => work(name));
  await expect(work("f")).rejects.toThrow("refused");
  expect([begun, waiting()]).toEqual([["a", "b"], 3]);
  for (const name of ["b", "a", "c", "d", "e"]) await end(name);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d", "e"]);
  expect([begun, mostRunning()]).toEqual([["a", "b", "c", "d", "e"], 2]);
});

test("what goes first passes what waits, and finds room where the others' queue is full", async () => {
  const { work, end, begun } = office(1, 1);
  void work("running");
  void work("stranger");
  await expect(work("another stranger")).rejects.toThrow("refused");
  void work("known", { isFirst: true });
  await end("running");
  await end("known");
  expect(begun).toEqual(["running", "known", "stranger"]);
});

test("a wait that is aborted leaves the queue; work that has begun goes on and nothing begins beside it", async () => {
  const { work, end, begun, waiting, mostRunning } = office(1, 5);
  const [first, second] = [new AbortController(), new AbortController()];
  const running = work("running", { signal: first.signal });
  const left = work("left", { signal: second.signal });
  void work("last");
  first.abort();
  second.abort();
  await expect(left).rejects.toThrow("refused");
  expect([begun, waiting()]).toEqual([["running"], 1]);
  await end("running");
  expect(await running).toBe("running");
  expect([begun, mostRunning()]).toEqual([["running", "last"], 1]);
  await expect(work("late", { signal: AbortSignal.abort() })).rejects.toThrow("refused");
});

test("in whatever order work comes, ends and is aborted, no more than may is done at once or waits", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("add" as const), isFirst: fc.boolean() }),
    fc.record({ do: fc.constantFrom("end" as const, "abort" as const), which: fc.nat(50) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { work, end, begun, waiting, mostRunning } = office(2, 3);
      const aborts: AbortController[] = [];
      for (const [n, one] of steps.entries()) {
        if (one.do === "add") {
          const abort = new AbortController();
          aborts.push(abort);
          void work(String(n), { isFirst: one.isFirst, signal: abort.signal });
        } else if (one.do === "abort") aborts[one.which % aborts.length]?.abort();
        else if (begun.length > 0) await end(begun[one.which % begun.length]!);
        expect(waiting()).toBeLessThanOrEqual(6);
      }
      for (let n = 0; n < begun.length; n++) await end(begun[n]!);
      expect([waiting(), mostRunning() <= 2]).toEqual([0, true]);
    }),
    { numRuns: 50 },
  );
});

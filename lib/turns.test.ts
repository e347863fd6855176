import { expect, test, vi } from "vitest";
import { nextTurn, Steps } from "./turns.ts";

/** Who goes on in each turn of the event loop, where each waits so many times and takes so long by a clock of its own. */
async function turnsOf(people: string[], { times, milliseconds }: { times: number; milliseconds: number }) {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const turns: string[][] = [[]];
  const count = () => {
    turns.push([]);
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const wait = async (who: string) => {
    for (let n = 0; n < times; n++) {
      await nextTurn();
      await Promise.resolve();
      now += milliseconds;
      turns.at(-1)!.push(who);
    }
  };
  await Promise.all(people.map(wait));
  clearImmediate(next);
  clock.mockRestore();
  return turns.filter((turn) => turn.length > 0);
}

test("those who wait for a turn go on in their order, and each once in a turn", async () => {
  const turns = await turnsOf(["Ann", "Ben", "Cid"], { times: 2, milliseconds: 1 });
  expect(turns).toEqual([
    ["Ann", "Ben", "Cid"],
    ["Ann", "Ben", "Cid"],
  ]);
});

test("a turn ends once it took long, and others go on in the next one before those who had theirs", async () => {
  const turns = await turnsOf(["Ann", "Ben", "Cid"], { times: 2, milliseconds: 3 });
  expect(turns).toEqual([
    ["Ann", "Ben"],
    ["Cid", "Ann"],
    ["Ben", "Cid"],
  ]);
});

test("what takes long has a turn of its own", async () => {
  const turns = await turnsOf(["Ann", "Ben"], { times: 2, milliseconds: 30 });
  expect(turns).toEqual([["Ann"], ["Ben"], ["Ann"], ["Ben"]]);
});

test("a step takes as many as fit, at most twice as many as the one before, and at least an eighth of the most", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const steps = new Steps(800);
  const sizes = [];
  for (const milliseconds of [1, 1, 1, 1, 20, 100, 10, 5]) {
    sizes.push(steps.size);
    now += milliseconds;
    await steps.next();
  }
  clock.mockRestore();
  expect(sizes).toEqual([100, 200, 400, 800, 800, 400, 100, 100]);
  expect(steps.size).toBe(200);
});

import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Works on what `next` returns, one of each company, again and again until it returns nothing or all work returns false:
 * then it can't go on now.
 */
export async function workInTurns<Item>(turns: {
  next(): Promise<Item[]>;
  work(item: Item): Promise<boolean>;
  signal: AbortSignal;
}) {
  for (let goesOn = true; goesOn;) {
    goesOn = false;
    for (const item of await turns.next()) {
      // SQLite never waits: requests come between two turns.
      await nextTurn();
      if (turns.signal.aborted) return;
      goesOn = (await turns.work(item)) || goesOn;
    }
  }
}

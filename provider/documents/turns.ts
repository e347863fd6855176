import { setImmediate as nextTurn } from "node:timers/promises";

/** Gives each item a turn of the event loop: SQLite never waits, so that requests would wait for the whole loop. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) {
    await nextTurn();
    yield item;
  }
}

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
    for await (const item of inTurns(await turns.next())) {
      if (turns.signal.aborted) return;
      goesOn = (await turns.work(item)) || goesOn;
    }
  }
}

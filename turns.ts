/**
 * Turns of the event loop. SQLite never waits, so that all other requests would wait for a long piece of work: it has pauses,
 * `await nextTurn()`.
 */

/** Milliseconds after which a turn ends for those who wait for one. */
const most = 5;

const waiting: (() => void)[] = [];
let isPlanned = false;

/**
 * Waits for one of the next turns. Those who wait go on in their order, and some in one turn as long as it is short: the first steps
 * of two pages in one turn held everybody up for 65 ms.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    plan();
  });
}

function plan() {
  if (isPlanned || waiting.length === 0) return;
  isPlanned = true;
  setImmediate(begin);
}

function begin() {
  const begun = performance.now();
  // Who waits again meanwhile gets another turn.
  let left = waiting.length;
  const goOn = () => {
    if (left-- > 0 && performance.now() - begun < most) {
      waiting.shift()!();
      // Comes back once that one has done all that it does without waiting.
      queueMicrotask(() => process.nextTick(goOn));
    } else {
      isPlanned = false;
      plan();
    }
  };
  goOn();
}

/** Gives each item a turn. */
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

import { nextTick } from "node:process";
import { setImmediate } from "node:timers";

/**
 * Turns of the event loop. SQLite is read and written without waiting, so what takes long calls `await nextTurn()` between its
 * steps: other requests are answered there.
 */

/** Once those who waited have taken this long, the others get the next turn. */
const maxTurnMs = 5;

const waiting: (() => void)[] = [];
let isPlanned = false;

/**
 * Waits for one of the next turns. First come, first served, several in a turn until it has taken 5 ms: without that limit, two long
 * steps came into one turn and held everybody up for 65 ms.
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
  // Who comes meanwhile goes on in a later turn.
  let left = waiting.length;
  const goOn = () => {
    if (left-- > 0 && performance.now() - begun < maxTurnMs) {
      waiting.shift()!();
      // After all that this one does without waiting: its microtasks. A tick alone would come before them.
      queueMicrotask(() => nextTick(goOn));
    } else {
      isPlanned = false;
      plan();
    }
  };
  goOn();
}

/** About how long a step takes. */
const stepMs = 10;

/**
 * Steps of a turn each, with as many of something as take 10 ms, for work that does not wait: SQLite reads 500 rows that lie far apart
 * in 4 to 25 ms from memory, and in up to 110 ms from a disk.
 */
export class Steps {
  /** How many to take in this step. */
  size: number;
  readonly #most: number;
  readonly #least: number;
  #begun = performance.now();

  /** The first step takes the least. */
  constructor(most: number, least = Math.ceil(most / 8)) {
    this.#most = most;
    this.#least = least;
    this.size = least;
  }

  /** Ends a step and waits for the turn of the next one, which has at most twice as many. */
  async next() {
    const took = performance.now() - this.#begun;
    const fitting = Math.floor((this.size * stepMs) / took);
    this.size = Math.min(this.#most, 2 * this.size, Math.max(this.#least, fitting));
    await nextTurn();
    this.#begun = performance.now();
  }
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

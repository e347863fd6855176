import { nextTurn } from "#lib/turns.ts";
import type { Slice } from "../process/slice.ts";

/**
 * The same call, which begins once the one before is answered or waits for something, in a new slice where that took long. All of a page's
 * calls together would be one turn of the event loop: with SQLite the eleven of a process's first dashboard take 0.05 to 0.1 s.
 */
export function oneByOne<Given extends unknown[], Reply>(call: (...given: Given) => Promise<Reply>, slice: Slice) {
  let before: Promise<unknown> = Promise.resolve();
  return (...given: Given): Promise<Reply> => {
    const begun = before.then(() => slice.endIfLong());
    const reply = begun.then(() => call(...given));
    before = Promise.race([reply.catch(() => {}), begun.then(() => nextTurn())]);
    return reply;
  };
}

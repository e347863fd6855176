import { setImmediate as pause } from "node:timers/promises";

/** How long statements may follow one another before the process looks after others. */
const maxMs = 15;

/**
 * SQLite answers within the process, so that a loop of statements leaves no turn to other requests by itself, however long it is.
 * Each statement or transaction asks here first, and begins in a later turn where this one has been long.
 */
export function createTurns() {
  let began: number | undefined;
  const end = () => (began = undefined);
  const isLong = () => began !== undefined && performance.now() - began > maxMs;
  return async function inShortTurn(): Promise<void> {
    while (isLong()) await pause();
    if (began !== undefined) return;
    began = performance.now();
    setImmediate(end);
  };
}

import { createContext } from "react-router";
import { nextTurn } from "#lib/turns.ts";
import type { Context } from "../request/router-context.ts";

/** Milliseconds: more than most pages take in all, but for the first ones of a process. */
const most = 10;

/** What a request does before others are let in. */
export type Slice = {
  /** Lets others in if it took long, and begins the next one. */
  endIfLong(): Promise<void>;
};

export function beginSlice(): Slice {
  let begun = performance.now();
  return {
    async endIfLong() {
      if (performance.now() - begun < most) return;
      // The first pause of what a request began still belongs to its turn of the event loop: timers and other requests come after it.
      await nextTurn();
      await nextTurn();
      begun = performance.now();
    },
  };
}

const slices = createContext<Slice | null>(null);

/** That of the request. */
export function sliceOf(context: Context): Slice {
  const known = context.get(slices);
  if (known) return known;
  const slice = beginSlice();
  context.set(slices, slice);
  return slice;
}

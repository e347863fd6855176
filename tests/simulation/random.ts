import { hash } from "node:crypto";

/** A stream of decisions from a seed and names: what one name decides does not depend on the others. */
export type Choices = ReturnType<typeof choicesOf>;

export function choicesOf(...names: (string | number)[]) {
  let state = Number.parseInt(hash("sha256", names.join("/"), "hex").slice(0, 8), 16);
  /** From 0 to below 1 (mulberry32). */
  function next() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    /** Whether something of this probability happens. */
    happens: (probability: number) => next() < probability,
    pick: <T>(items: readonly T[]): T | undefined => items[below(items.length)],
    bytes(buffer: Uint8Array) {
      for (let at = 0; at < buffer.length; at++) buffer[at] = below(256);
      return buffer;
    },
  };
}

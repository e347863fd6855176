import { hash } from "node:crypto";
import { seededRandom } from "#provider/samples/random.ts";

/** A stream of decisions from a seed and names: what one name decides does not depend on the others. */
export type Choices = ReturnType<typeof choicesOf>;

export function choicesOf(...names: (string | number)[]) {
  const next = seededRandom(Number.parseInt(hash("sha256", names.join("/"), "hex").slice(0, 8), 16));
  const below = (limit: number) => Math.floor(next() * limit);
  return {
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

import { createHash } from "node:crypto";
import { settings } from "./settings.ts";

const hashOf = (name: string) => createHash("sha256").update(name).digest().readUInt32BE();

/** The part, from 0 to `of` - 1, that a name belongs to by its hash: the same on every machine, whatever other names there are. */
export const partOf = (name: string, of: number) => hashOf(name) % of;

/** Returns a whole list; with `TESTS=once` about one in `of`, and at least one, which the hashes of their names choose. */
export function oneIn<T>(of: number, list: readonly T[], nameOf: (item: T) => string = JSON.stringify): readonly T[] {
  if (!settings.runsOnce) return list;
  const part = list.filter((item) => partOf(nameOf(item), of) === 0);
  return part.length > 0 ? part : list.toSorted((a, b) => hashOf(nameOf(a)) - hashOf(nameOf(b))).slice(0, 1);
}

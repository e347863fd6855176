import { createHash } from "node:crypto";
import { settings } from "./settings.ts";

/** The part, from 0 to `of` - 1, that a name belongs to by its hash: the same on every machine, whatever other names there are. */
export const partOf = (name: string, of: number) => createHash("sha256").update(name).digest().readUInt32BE() % of;

/** Returns a whole list; with `TESTS=once` about one in `of`, which the hashes of their names choose. */
export const oneIn = <T>(of: number, list: readonly T[], nameOf: (item: T) => string = JSON.stringify): T[] =>
  list.filter((item) => !settings.runsOnce || partOf(nameOf(item), of) === 0);

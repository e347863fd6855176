import type { Files } from "./files.ts";

/** So many are looked up by one statement, for which SQLite takes 2 to 24 ms. */
const batchSize = 100;

type Sweep = {
  /** Files changed later stay, as a record may be about to name them. One moment for a whole sweep, however long it takes. */
  before: number;
  referenced(keys: string[]): Promise<(string | null)[]>;
  onRemoved?(key: string): void;
};

/** Removes what lies directly below `prefix/`, was changed before `before` (ms), and is referenced by no record. */
export async function removeUnreferenced(files: Files, prefix: string, { before, referenced, onRemoved }: Sweep) {
  for await (const batch of batchesOf(files.list(prefix))) {
    const keys = batch.map((name) => `${prefix}/${name}`);
    const referencedKeys = new Set(await referenced(keys));
    for (const key of keys) {
      if (referencedKeys.has(key) || (await files.changedAt(key)) > before) continue;
      await files.removeAll(key);
      onRemoved?.(key);
    }
  }
}

async function* batchesOf(names: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const name of names) {
    if (batch.push(name) < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

import type { Files } from "./files.ts";

const batchSize = 500;

type Sweep = {
  /** Younger files stay, as a record may be about to name them. */
  ageMs: number;
  referenced(keys: string[]): Promise<(string | null)[]>;
  onRemoved?(key: string): void;
};

/** Removes what lies directly below `prefix/`, is older than `ageMs`, and is referenced by no record. */
export async function removeUnreferenced(files: Files, prefix: string, { ageMs, referenced, onRemoved }: Sweep) {
  const keys = (await files.list(prefix)).map((name) => `${prefix}/${name}`);
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize);
    const kept = new Set(await referenced(batch));
    for (const key of batch) {
      if (kept.has(key) || (await files.changedAt(key)) > Date.now() - ageMs) continue;
      await files.removeAll(key);
      onRemoved?.(key);
    }
  }
}

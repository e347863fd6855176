import { environment } from "#config";
import type { Fuzzing } from "../fixtures/fuzz.ts";

export { fuzz } from "../fixtures/fuzz.ts";

/**
 * How this run fuzzes: `FUZZ_CASES` cases from `FUZZ_SEED`, or else a few from a seed that changes every day (UTC) and
 * is printed. Workers inherit it from the configuration.
 */
export function chooseFuzzing(): Fuzzing {
  if (!environment.FUZZ_SEED) {
    environment.FUZZ_SEED = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    console.log(`Fuzz seed of the day: FUZZ_SEED=${environment.FUZZ_SEED} repeats this run's cases.`);
  }
  return { seed: Number(environment.FUZZ_SEED), cases: Number(environment.FUZZ_CASES ?? 20) };
}

import { environment } from "#config";

/** Chooses the seed of all fuzzing in this run, another one every day (UTC), and prints it. `FUZZ_SEED` overrides it. */
export function chooseFuzzSeed() {
  if (environment.FUZZ_SEED) return;
  environment.FUZZ_SEED = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  console.log(`Fuzz seed of the day: FUZZ_SEED=${environment.FUZZ_SEED} repeats this run's cases.`);
}

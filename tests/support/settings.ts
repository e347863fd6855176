import { environment } from "#lib/config.ts";
import type { Fuzzing } from "../fixtures/fuzz.ts";

/** How a test run is set up, from environment variables (`docs/testing.md`). */
export const settings = {
  /** `TESTS=once`, set by `npm test`: each journey in one of its runs, parts of long lists, no drills. */
  runsOnce: environment.TESTS === "once",
  /** Kills per storage and moment. */
  crashRounds: Number(environment.CRASH_ROUNDS ?? 3),
  soakMinutes: Number(environment.SOAK_MINUTES ?? 30),
  /** A folder that keeps the filled SQLite database for the next run. */
  benchData: environment.BENCH_DATA,
  /** `sqlite` or `postgres`: measures that one alone. */
  benchOn: environment.BENCH_ON,
  /** A PostgreSQL server to use; without it, tests start one from this machine's binaries. */
  databaseUrl: environment.TEST_DATABASE_URL,
};

/** Returns `FUZZ_CASES` and `FUZZ_SEED`; without one, a fixed seed with `TESTS=once`, else that of the day (UTC), which workers inherit. */
export function fuzzing(): Fuzzing {
  if (!environment.FUZZ_SEED) {
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    environment.FUZZ_SEED = settings.runsOnce ? "1" : day;
    console.log(`FUZZ_SEED=${environment.FUZZ_SEED} repeats this run's cases.`);
  }
  return { seed: Number(environment.FUZZ_SEED), cases: Number(environment.FUZZ_CASES ?? 20) };
}

/** The seeds of random walks: `WALK_SEED` alone, or fixed ones and, unless tests run once, the day's (UTC). */
export function walkSeeds(): number[] {
  if (environment.WALK_SEED) return environment.WALK_SEED.split(",").map(Number);
  return settings.runsOnce ? [1, 3] : [1, 2, 3, 4, 5, 6, fuzzing().seed];
}

import { environment } from "#config";
import { defineConfig } from "vitest/config";

/** `FUZZ_CASES=20000 npx vitest run fuzz` tries more. */
const fuzzCases = Number(environment.FUZZ_CASES ?? 1000);

const providerTests = ["provider/routes/**/*.test.ts", "provider/db/**/*.test.ts"];

/** Unit tests once; the provider's own tests on each database (`tests/support/vitest-postgres.ts`). */
export default defineConfig({
  test: {
    globalSetup: ["tests/support/vitest-postgres.ts"],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["**/*.test.ts"], exclude: ["node_modules/**", "build/**", ...providerTests] },
      },
      ...(["sqlite", "postgres"] as const).map((database) => ({
        extends: true as const,
        test: {
          name: database,
          include: providerTests,
          // The database changes little about what is fuzzed: PostgreSQL, which takes longer, gets a tenth.
          provide: { database, fuzzCases: Math.ceil(fuzzCases / (database === "sqlite" ? 1 : 10)) },
        },
      })),
    ],
  },
});

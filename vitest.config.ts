import { environment } from "#config";
import { defineConfig } from "vitest/config";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

useMemoryForTemporaryFiles();

/** `FUZZ_CASES=20000 npx vitest run fuzz` tries more. */
const fuzzCases = Number(environment.FUZZ_CASES ?? 1000);

const databaseTests = [
  "provider/{routes,db,mail}/**/*.test.ts",
  "provider/documents/remind.test.ts",
  "storage/jobs.test.ts",
];

/** Unit tests once; those that need a database on each (`tests/support/vitest-postgres.ts`). */
export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["**/*.test.ts"], exclude: ["node_modules/**", "build/**", ...databaseTests] },
      },
      ...(["sqlite", "postgres"] as const).map((database) => ({
        extends: true as const,
        test: {
          name: database,
          include: databaseTests,
          globalSetup: ["tests/support/vitest-databases.ts"],
          // The database changes little about what is fuzzed: PostgreSQL, which takes longer, gets a tenth.
          provide: { database, fuzzCases: Math.ceil(fuzzCases / (database === "sqlite" ? 1 : 10)) },
        },
      })),
    ],
  },
});

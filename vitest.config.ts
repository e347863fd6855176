import { defineConfig } from "vitest/config";
import { chooseFuzzSeed } from "./tests/support/fuzz-seed.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

chooseFuzzSeed();
useMemoryForTemporaryFiles();

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
          provide: { database },
        },
      })),
    ],
  },
});

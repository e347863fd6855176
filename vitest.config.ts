import { defineConfig } from "vitest/config";
import { fuzzing, settings } from "./tests/support/settings.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

useMemoryForTemporaryFiles();

const storageTests = ["lib/storage/jobs.test.ts", "lib/storage/database/postgres.test.ts"];
const queryTests = ["provider/db/**/*.test.ts", "provider/documents/list/*.test.ts", "provider/**/*-batches.test.ts"];
const databaseTests = ["provider/**/*.test.ts", ...storageTests];

/** With `TESTS=once`, PostgreSQL gets the tests of queries alone: half of the journeys use the endpoints on it. */
const onPostgres = settings.runsOnce ? [...queryTests, ...storageTests] : databaseTests;

/** Unit tests once; those that need a database on each (`tests/support/vitest-databases.ts`). */
export default defineConfig({
  test: {
    maxWorkers: 2,
    // Test files share what they import, which would else take a third of the time; `--isolate` has each import its own.
    isolate: false,
    // A test that hangs is ended some time; a busy machine may take ten times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ["tests/support/vitest-seed.ts"],
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["**/*.test.ts"], exclude: ["node_modules/**", "build/**", ...databaseTests] },
      },
      ...(["sqlite", "postgres"] as const).map((database) => ({
        extends: true as const,
        test: {
          name: database,
          include: database === "postgres" ? onPostgres : databaseTests,
          globalSetup: ["tests/support/vitest-databases.ts"],
          setupFiles: ["tests/fixtures/setup.ts"],
          provide: { database, fuzzing: fuzzing() },
        },
      })),
    ],
  },
});

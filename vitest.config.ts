import { defineConfig } from "vitest/config";
import { chooseFuzzing } from "./tests/support/fuzz.ts";
import { isWhole } from "./tests/support/todays.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

useMemoryForTemporaryFiles();

const databaseTests = [
  "provider/{routes,db,mail}/**/*.test.ts",
  "provider/documents/remind.test.ts",
  "storage/jobs.test.ts",
];

/** What decides nothing by the database, and takes long: on PostgreSQL when everything runs. */
const onSqliteAlone = ["access-matrix", "open-pages", "page-work"].map((name) => `provider/routes/${name}.test.ts`);

const fuzzing = chooseFuzzing();

/** Unit tests once; those that need a database on each (`tests/support/vitest-postgres.ts`). */
export default defineConfig({
  test: {
    maxWorkers: 3,
    // Test files share what they import, which would else take a third of the time; `--isolate` has each import its own.
    isolate: false,
    // A test that hangs is ended some time; a busy machine may take ten times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
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
          exclude: database === "postgres" && !isWhole ? onSqliteAlone : [],
          globalSetup: ["tests/support/vitest-databases.ts"],
          setupFiles: ["provider/testing-setup.ts"],
          provide: { database, fuzzing },
        },
      })),
    ],
  },
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { isInTodaysShare } from "./tests/support/daily-shares.ts";
import { fuzzing } from "./tests/support/settings.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

useMemoryForTemporaryFiles();

const databaseTests = ["provider/**/*.test.ts", "lib/storage/{jobs,postgres}.test.ts"];

/** Of the endpoints' tests those that take longest, in an order that gives each day its part. */
const longest = ["access-matrix", "fuzz", "printed-codes", "meanwhile"]
  .concat("page-work", "copies", "sealed-files", "file-checks")
  .map((name) => `${name}.test.ts`);

const testsIn = (folder: string) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .toSorted();

/** All run on SQLite every day; on PostgreSQL a fifth of the endpoints and a third of the rest. */
const routeTests = testsIn("provider");
const otherDays = [
  ...[...longest, ...routeTests.filter((file) => !longest.includes(file))]
    .filter((_, n) => !isInTodaysShare(n, 5))
    .map((file) => `provider/${file}`),
  ...["provider/db", "provider/mail", "provider/seal"]
    .flatMap((folder) => testsIn(folder).map((file) => `${folder}/${file}`))
    .filter((_, n) => !isInTodaysShare(n, 3)),
];

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
          include: databaseTests,
          exclude: database === "postgres" ? otherDays : [],
          globalSetup: ["tests/support/vitest-databases.ts"],
          setupFiles: ["tests/fixtures/setup.ts"],
          provide: { database, fuzzing: fuzzing() },
        },
      })),
    ],
  },
});

import { defineConfig } from "vitest/config";

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
        test: { name: database, include: providerTests, provide: { database } },
      })),
    ],
  },
});

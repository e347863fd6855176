import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    isolate: false,
    testTimeout: 180_000,
    setupFiles: ["tests/support/vitest-seed.ts"],
    include: [
      "lib/seal/*.test.ts",
      "app/server/lists/*.test.ts",
      "provider/scans/judging/*.test.ts",
      "provider/documents/{codes,lifecycle}.test.ts",
      "provider/access.test.ts",
    ],
  },
});

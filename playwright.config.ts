import { defineConfig } from "@playwright/test";
import { browserOptions } from "./tests/support/browser.ts";
import { chooseFuzzing } from "./tests/support/fuzz.ts";
import type { Keeping } from "./tests/support/journey.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

chooseFuzzing();
useMemoryForTemporaryFiles();

/** Journeys run twice, by the same test bodies: with scripts on SQLite and the disk, and without them on PostgreSQL and S3. Checks of pages and serving run once. */
export default defineConfig<object, { keeps: Keeping }>({
  testDir: "tests",
  globalSetup: "./tests/support/global-setup.ts",
  outputDir: "test-results/journeys",
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  // What hangs is ended some time; a busy machine may take ten times as long as a quiet one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: { launchOptions: browserOptions(), locale: "en-GB", timezoneId: "Europe/London", trace: "off" },
  projects: [
    // What takes longest begins first; its tests share nothing.
    { name: "serving", testMatch: "serving/*.spec.ts", fullyParallel: true },
    { name: "scripts on", testMatch: "journeys/*.spec.ts" },
    { name: "scripts off", testMatch: "journeys/*.spec.ts", use: { javaScriptEnabled: false, keeps: "elsewhere" } },
    { name: "enhanced", testMatch: "enhanced/*.spec.ts" },
    { name: "pages", testMatch: "pages/*.spec.ts" },
  ],
});

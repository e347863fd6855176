import { defineConfig } from "@playwright/test";
import { browserOptions } from "./tests/support/browser.ts";

/** Journeys run twice, by the same test bodies: with scripts and without. Checks of pages and serving run once. */
export default defineConfig({
  testDir: "tests",
  globalSetup: "./tests/support/global-setup.ts",
  outputDir: "test-results/journeys",
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  reporter: [["list"]],
  use: { launchOptions: browserOptions(), locale: "en-GB", timezoneId: "Europe/London", trace: "off" },
  projects: [
    // What takes longest begins first; its tests share nothing.
    { name: "serving", testMatch: "serving/*.spec.ts", fullyParallel: true },
    { name: "scripts on", testMatch: "journeys/*.spec.ts" },
    { name: "scripts off", testMatch: "journeys/*.spec.ts", use: { javaScriptEnabled: false } },
    { name: "enhanced", testMatch: "enhanced/*.spec.ts" },
    { name: "pages", testMatch: "pages/*.spec.ts" },
  ],
});

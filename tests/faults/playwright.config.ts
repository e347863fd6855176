import { defineConfig } from "@playwright/test";

/** The last part of `npm run test:thorough`: what takes minutes. One test at a time, as they load the machine. */
export default defineConfig({
  testDir: ".",
  globalSetup: "../support/global-setup.ts",
  outputDir: "../../test-results/faults",
  workers: 1,
  timeout: 10 * 60_000,
  reporter: [["list"]],
});

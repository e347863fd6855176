import { defineConfig } from "@playwright/test";
import { environment } from "#config";

/** `npm run test:faults`: what takes minutes. One test at a time, as they load the machine. */
environment.CRASH_ROUNDS ??= "100";

export default defineConfig({
  testDir: "..",
  testMatch: ["faults/*.spec.ts", "serving/crashes.spec.ts"],
  globalSetup: "../support/global-setup.ts",
  outputDir: "../../test-results/faults",
  workers: 1,
  timeout: 10 * 60_000,
  reporter: [["list"]],
});

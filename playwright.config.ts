import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { browserOptions } from "./tests/support/browser.ts";
import { chooseFuzzing } from "./tests/support/fuzz.ts";
import type { Storage } from "./tests/support/sample-server.ts";
import { isInTodaysShare } from "./tests/support/daily-shares.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

chooseFuzzing();
useMemoryForTemporaryFiles();

/** Journeys that run every day, with scripts and without in turn; each of the others runs every third day. */
const core = ["guest.spec.ts", "wizard.spec.ts"];
const journeys = readdirSync(join(import.meta.dirname, "tests/journeys")).filter((file) => file.endsWith(".spec.ts"));
const otherDays = (way: "scripts on" | "scripts off") =>
  journeys
    .filter((file, n) => {
      const days = core.includes(file) ? 2 : 6;
      return !isInTodaysShare(way === "scripts on" ? n : n + days / 2, days);
    })
    .map((file) => `**/journeys/${file}`);

/** What the machine or an operator does to servers: it takes minutes, and a quarter runs each day. */
const drills = [["commands"], ["crashes"], ["machines"], ["mail", "clock", "logs", "secrets"]].flatMap((files, n) =>
  isInTodaysShare(n, 4) ? [] : files.map((file) => `**/serving/${file}.spec.ts`),
);

/** Hostile forms are sent to servers of three kinds, one of them a day; to those on this disk, names and sizes every day. */
const [fuzz, intake] = ["**/serving/fuzz.spec.ts", "**/serving/intake.spec.ts"];
const hostileForms = (kind: number) => (isInTodaysShare(kind, 3) ? [fuzz, intake] : []);

/** Journeys run twice, by the same test bodies: with scripts on SQLite and the disk, and without them on PostgreSQL and S3. Checks of pages and serving run once. */
export default defineConfig<{ waitsForScripts: boolean }, { storage: Storage }>({
  testDir: "tests",
  globalSetup: "./tests/support/global-setup.ts",
  outputDir: "test-results/journeys",
  // Tests of a file share its server; files whose tests share nothing say so.
  fullyParallel: false,
  workers: 3,
  forbidOnly: true,
  // What hangs is ended some time; a busy machine may take ten times as long as a quiet one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    launchOptions: browserOptions(),
    // What moves is drawn sixty times a second, by the processor.
    contextOptions: { reducedMotion: "reduce" },
    locale: "en-GB",
    timezoneId: "Europe/London",
    trace: "off",
  },
  projects: [
    // What takes longest begins first.
    {
      name: "serving",
      testMatch: "serving/*.spec.ts",
      testIgnore: [...drills, ...(isInTodaysShare(0, 3) ? [] : [fuzz])],
    },
    { name: "hostile forms, kept elsewhere", testMatch: hostileForms(1), use: { storage: "elsewhere" } },
    { name: "hostile forms, at a provider", testMatch: hostileForms(2), use: { storage: "other-provider" } },
    { name: "scripts on", testMatch: "journeys/*.spec.ts", testIgnore: otherDays("scripts on") },
    {
      name: "scripts off",
      testMatch: "journeys/*.spec.ts",
      testIgnore: otherDays("scripts off"),
      use: { javaScriptEnabled: false, storage: "elsewhere" },
    },
    { name: "enhanced", testMatch: "enhanced/*.spec.ts", use: { waitsForScripts: true } },
    { name: "pages", testMatch: "pages/*.spec.ts", fullyParallel: true },
  ],
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { browserOptions } from "./tests/support/browser.ts";
import { isInTodaysShare, todaysShare } from "./tests/support/daily-shares.ts";
import type { Storage } from "./tests/support/sample-server.ts";
import { fuzzing, settings } from "./tests/support/settings.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

fuzzing();
useMemoryForTemporaryFiles();

/**
 * Journeys run in four projects, by the same test bodies: scripts on and off, each on both storages, so that a failure has
 * one cause. `npm test` runs two of them, in which both scripts and storage change, and of those a share that changes with the date.
 */
const journeys = specsIn("tests/journeys");

function specsIn(folder: string) {
  return readdirSync(join(import.meta.dirname, folder)).filter((file) => file.endsWith(".spec.ts"));
}

/** Run every day in one of the two, each other journey every sixth day. */
const core = ["guest.spec.ts", "wizard.spec.ts"];

const scriptsOn = { name: "scripts on", use: {} };
const scriptsOff = { name: "scripts off", use: { javaScriptEnabled: false } };

function journeysOn(storage: Storage, { name, use }: typeof scriptsOn | typeof scriptsOff) {
  const isDaily = (name === "scripts on") === (storage === "sqlite-disk");
  const isToday = (file: string, n: number) => {
    if (!settings.runsTodaysShare) return true;
    const days = core.includes(file) ? 2 : 12;
    return isDaily && isInTodaysShare(name === "scripts on" ? n : n + days / 2, days);
  };
  return {
    name: `${name}, ${storage === "sqlite-disk" ? "sqlite" : "postgres"}`,
    testMatch: journeys.filter(isToday).map((file) => `journeys/${file}`),
    use: { ...use, storage },
  };
}

/** What the machine or an operator does to servers takes minutes: a quarter runs each day, and a third of work on keys. */
const drills = [
  ["commands", "restore", "backup-drills"],
  ["crashes", "full-disk"],
  ["machines"],
  ["mail", "clock", "logs", "secrets", "scan-kills"],
];
const keyDrills = [["root-key"], ["seal-keys"], ["saved-keys", "backup-checks", "seal-token"]];
const hostile = ["fuzz", "intake"];
/** What else servers do: a half each day. */
const others = specsIn("tests/serving")
  .map((file) => file.replace(".spec.ts", ""))
  .filter((file) => ![drills, keyDrills].flat(2).concat(hostile).includes(file));
const inServing = (file: string) => `**/serving/${file}.spec.ts`;
const ofOtherDays = [
  ...[drills, keyDrills].flatMap((parts) => parts.filter((_, n) => !isInTodaysShare(n, parts.length)).flat()),
  ...others.filter((_, n) => !isInTodaysShare(n, 2)),
].map(inServing);

/** What scripts add, and looks at pages: a fifth each day. */
const enhanced = todaysShare(specsIn("tests/enhanced"), 5).map((file) => `enhanced/${file}`);
const pages = todaysShare(specsIn("tests/pages"), 5).map((file) => `pages/${file}`);

/** What a first visit without its critical CSS has to do as well: one of three each day. */
const firstPaintOff = ["journeys/documents.spec.ts", "enhanced/documents.spec.ts", "enhanced/keyboard.spec.ts"];

/** Hostile forms, a half each day, go to servers of one storage a day; names and sizes to those on SQLite every day. */
const hostileForms = (kind: number) => (isInTodaysShare(kind, 3) ? hostile.map(inServing) : []);

export default defineConfig<{ waitsForScripts: boolean }, { storage: Storage; serverEnv: Record<string, string> }>({
  testDir: "tests",
  globalSetup: "./tests/support/global-setup.ts",
  outputDir: "test-results/journeys",
  // Tests of a file share its server; files whose tests share nothing say so.
  fullyParallel: false,
  // Twice the cores: tests wait for servers as long as they work.
  workers: 4,
  forbidOnly: true,
  // Ends what hangs: a busy machine may take ten times as long as a quiet one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    launchOptions: browserOptions(),
    // Animations are drawn sixty times a second, by the processor.
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
      testIgnore: [...ofOtherDays, ...(isInTodaysShare(0, 3) ? [] : [inServing("fuzz")])],
    },
    { name: "hostile forms, postgres", testMatch: hostileForms(1), use: { storage: "postgres-s3" } },
    { name: "hostile forms, other provider", testMatch: hostileForms(2), use: { storage: "other-provider" } },
    journeysOn("sqlite-disk", scriptsOn),
    journeysOn("postgres-s3", scriptsOff),
    journeysOn("postgres-s3", scriptsOn),
    journeysOn("sqlite-disk", scriptsOff),
    { name: "enhanced", testMatch: enhanced, use: { waitsForScripts: true } },
    {
      name: "first paint off",
      testMatch: todaysShare(firstPaintOff, 3),
      use: { waitsForScripts: true, serverEnv: { FIRST_PAINT: "off" } },
    },
    { name: "pages", testMatch: pages, fullyParallel: true },
  ],
});

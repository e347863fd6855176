import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { browserOptions } from "./tests/support/browser.ts";
import { hasHaproxy } from "./tests/support/haproxy.ts";
import type { Storage } from "./tests/support/sample-server.ts";
import { fuzzing, settings } from "./tests/support/settings.ts";
import { partOf } from "./tests/support/shares.ts";
import { useMemoryForTemporaryFiles } from "./tests/support/temporary.ts";

fuzzing();
useMemoryForTemporaryFiles();

const specsIn = (folder: string) =>
  readdirSync(join(import.meta.dirname, "tests", folder))
    .filter((file) => file.endsWith(".spec.ts"))
    .map((file) => `${folder}/${file}`);

/**
 * Journeys run in five projects, by the same test bodies: scripts on and off, each on both storages, so that a failure has
 * one cause; and scripts that are on and don't arrive. With `TESTS=once` each runs in the one that the hash of its file's name chooses.
 */
const journeys = (
  [
    ["scripts on, sqlite", "sqlite-disk", {}],
    ["scripts off, postgres", "postgres-s3", { javaScriptEnabled: false }],
    ["scripts on, postgres", "postgres-s3", {}],
    ["scripts off, sqlite", "sqlite-disk", { javaScriptEnabled: false }],
    ["scripts missing, sqlite", "sqlite-disk", { scriptsArrive: false }],
  ] as const
).map(([name, storage, scripts], n, { length }) => ({
  name,
  testMatch: specsIn("journeys").filter((file) => !settings.runsOnce || partOf(file, length) === n),
  use: { ...scripts, storage: storage as Storage },
}));

/** What takes minutes, and other runs of what has run: not with `TESTS=once`. */
const drills = [
  [
    "backup-checks",
    "backup-drills",
    "backup-names",
    "backup-place",
    "bulk-kills",
    "clock",
    "commands",
    "company-moves",
    "copies",
  ],
  ["crashes", "full-disk", "intake", "logs"],
  ["machines", "mail", "other-provider-mocks", "restore", "root-key", "saved-keys", "scan-kills", "seal-keys"],
  ["number-kills", "seal-token", "secrets", "webhook-kills"],
].flatMap((names) => names.map((name) => `serving/${name}.spec.ts`));
/** Journeys of two processes behind a load balancer without sticky sessions. */
const balanced = hasHaproxy()
  ? ["drafts", "email", "guest", "invitations", "webhooks", "wizard", "wizard-checks"].map(
      (name) => `journeys/${name}.spec.ts`,
    )
  : [];
const hostileForms = ["serving/fuzz.spec.ts", "serving/intake.spec.ts"];
const firstPaint = ["journeys/documents.spec.ts", "enhanced/documents.spec.ts", "enhanced/keyboard.spec.ts"];
const unlessOnce = (files: string[]) => (settings.runsOnce ? [] : files);

export default defineConfig<
  { waitsForScripts: boolean; scriptsArrive: boolean },
  { storage: Storage; serverEnv: Record<string, string> }
>({
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
    { name: "drills", testMatch: unlessOnce(drills) },
    { name: "serving", testMatch: specsIn("serving").filter((file) => !drills.includes(file)) },
    { name: "hostile forms, postgres", testMatch: unlessOnce(hostileForms), use: { storage: "postgres-s3" } },
    { name: "hostile forms, other provider", testMatch: unlessOnce(hostileForms), use: { storage: "other-provider" } },
    ...journeys,
    ...["on", "off"].map((scripts) => ({
      name: `scripts ${scripts}, HAProxy`,
      testMatch: unlessOnce(balanced),
      use: { storage: "haproxy" as Storage, javaScriptEnabled: scripts === "on", ignoreHTTPSErrors: true },
    })),
    { name: "enhanced", testMatch: "enhanced/*.spec.ts", use: { waitsForScripts: true } },
    {
      name: "first paint off",
      testMatch: unlessOnce(firstPaint),
      use: { waitsForScripts: true, serverEnv: { FIRST_PAINT: "off" } },
    },
    { name: "pages", testMatch: "pages/*.spec.ts", fullyParallel: true },
  ],
});

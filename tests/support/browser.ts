import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, createReadStream, createWriteStream, existsSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { chromium } from "@playwright/test";
import { environment } from "#lib/config.ts";

/** A Chromium for the journeys: the headless one that npm brings, one of this machine, or one that is fetched. */

/**
 * The headless build, which takes less than half of the processor time of a whole Chromium without a window. The package
 * brings it for Linux on x64 alone.
 */
const bin = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..", "bin");
const unpacked = join(bin, "headless-shell");

/** Unpacks the headless build, if it runs on this machine. */
export async function unpackBrowser() {
  if (process.platform !== "linux" || process.arch !== "x64" || existsSync(unpacked)) return;
  const part = `${unpacked}.${process.pid}`;
  const [from, to] = [createReadStream(join(bin, "chromium.br")), createWriteStream(part, { mode: 0o755 })];
  await pipeline(from, createBrotliDecompress(), to);
  if (spawnSync(part, ["--version"]).status === 0) renameSync(part, unpacked);
  else await rm(part);
}

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser's program, or undefined if there is none yet. */
export function findBrowser(): string | undefined {
  if (existsSync(unpacked)) return unpacked;
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  const folders = (environment.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** How the browser is started: as root, and in containers, it can't build its sandbox. */
export const browserOptions = () => ({
  ...(findBrowser() ? { executablePath: findBrowser()! } : {}),
  args: [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    ...(userInfo().uid === 0 ? ["--no-sandbox"] : []),
  ],
});

/** Fetches a browser: Playwright's own, or else the system's package where we may install it. */
export function fetchBrowser() {
  console.log("No Chromium here yet: fetching one.");
  const fetched = spawnSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit" });
  if (fetched.status === 0 && findBrowser()) return;
  if (userInfo().uid === 0 && existsSync("/usr/bin/apt-get")) {
    const quietly = { stdio: "inherit" as const, env: { ...environment, DEBIAN_FRONTEND: "noninteractive" } };
    execFileSync("apt-get", ["update", "-qq"], quietly);
    execFileSync("apt-get", ["install", "-yqq", "--no-install-recommends", "chromium-headless-shell"], quietly);
  }
  if (!findBrowser())
    throw new Error("No Chromium could be had. Install one (Debian: apt-get install chromium-headless-shell).");
}

import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { environment } from "#config";

/** A Chromium for the journeys: one that is here, or one that is fetched when there is none. */

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser's program, or undefined where there is none yet. */
export function findBrowser(): string | undefined {
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

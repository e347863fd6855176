import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "#lib/config.ts";
import { signInClientPastNotice } from "../support/form-client.ts";
import { filledSignIns, signIn } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { settings } from "../support/settings.ts";
import { type Figure, median, p95 } from "./figures.ts";

/** Texts that are found in different ways, by what they are. */
const texts = {
  "a rare word": "zephyr",
  "a common word": "invoice",
  "a word that no document has": "qxqzj",
  "two common words": "vehicle permit",
  "a common letter": "e",
  "two letters that no document has": "qz",
  "the beginning of every number": "nm-",
  "a part of numbers": "nm-1a",
  "a rare value of a custom field": "£12345.00",
  "a common value of custom fields": "lr-2025",
  "a user’s name": "user 77",
  "an alert’s number": "AL-000001",
};

/**
 * Compares searches of a company's administrator with a million documents to those with a thousand, on SQLite: each text from
 * both servers by turns. `BENCH_DATA=folder` keeps the filled databases.
 */
export async function measureSearches(quick = false): Promise<Figure[]> {
  const scratch = settings.benchData ?? mkdtempSync(join(tmpdir(), "sealdesk-searches-"));
  const [rounds, times] = quick ? [1, 20] : [5, 40];
  const few = await startFilled(join(scratch, "SQLite-few"), 1000, 0);
  const many = await startFilled(join(scratch, "SQLite-many"), settings.benchDocuments, 50);
  try {
    const [ratios, seconds]: [number[], number[]] = [[], []];
    const figures: Figure[] = [];
    for (const [what, text] of Object.entries(texts)) {
      const timings = await timeSearch(text, [few, many], rounds, times);
      const ratio = median(timings.map(([first, second]) => p95(second) / p95(first)));
      const slow = median(timings.map(([, second]) => p95(second)));
      ratios.push(ratio);
      seconds.push(slow);
      figures.push({ what: `Search for ${what}, p95`, value: slow, unit: "s" });
      figures.push({ what: "The same ÷ with 1,000", value: ratio, unit: "times", atMost: 2 });
    }
    figures.push({ what: "The slowest search, p95", value: Math.max(...seconds), unit: "s" });
    figures.push({ what: "The largest ratio", value: Math.max(...ratios), unit: "times", atMost: 2 });
    return figures;
  } finally {
    await few.stop();
    await many.stop();
    if (!settings.benchData) rmSync(scratch, { recursive: true, force: true });
  }
}

type Server = { get(path: string): Promise<Response>; stop(): Promise<unknown> };

async function startFilled(data: string, documents: number, companies: number): Promise<Server> {
  if (!existsSync(join(data, "sealdesk.db"))) {
    const args = ["build/server/cli.js", "fill", "--documents", String(documents), "--companies", String(companies)];
    const env = { ...environment, DATA_DIR: data };
    execFileSync(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  }
  const server = await startServer({ on: data, env: { DATA_DIR: data, STORAGE_GB_PER_COMPANY: "0" } });
  const email = filledSignIns("large").administrator;
  const client = await signInClientPastNotice(server.url, { ...signIn, email });
  return { get: (path) => client.get(path), stop: () => server.stop() };
}

/** For each round, the seconds of each search on the first and on the second server. */
async function timeSearch(text: string, servers: [Server, Server], rounds: number, times: number) {
  const path = `/search?all=1&q=${encodeURIComponent(text)}`;
  const timings: [number[], number[]][] = [];
  for (let round = 0; round < rounds; round++) {
    const seconds: [number[], number[]] = [[], []];
    for (let n = 0; n < times * 2; n++) {
      const server = (n % 2) as 0 | 1;
      const started = performance.now();
      const reply = await servers[server].get(path);
      await reply.text();
      if (reply.status !== 200) throw new Error(`${path}: status ${reply.status}`);
      seconds[server].push((performance.now() - started) / 1000);
    }
    timings.push(seconds);
  }
  return timings;
}

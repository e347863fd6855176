import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { environment } from "#lib/config.ts";
import { secondsInMs } from "#lib/units.ts";
import { startServer, treeMegabytes } from "../support/server.ts";
import { settings } from "../support/settings.ts";
import { inDatabase } from "../support/stored.ts";
import { strangerHeaders } from "./crowd.ts";
import { type Figure, p95 } from "./figures.ts";

/** How large the log of a million documents is, and how long its proofs and its check take, with SQLite. */
export async function measureLog(quick: boolean): Promise<Figure[]> {
  const documents = quick ? 20_000 : 1_000_000;
  const scratch = settings.benchData ?? mkdtempSync(join(tmpdir(), "sealdesk-log-"));
  const data = join(scratch, `log-${documents}`);
  const env = { DATA_DIR: data, STORAGE_GB_PER_COMPANY: "0", TRUSTED_PROXIES: "1" };
  const command = (line: string, more = {}) =>
    execFileSync(process.execPath, ["build/server/cli.js", ...line.split(" ")], {
      env: { ...environment, ...env, ...more },
    });
  try {
    if (!existsSync(data)) command(`fill --documents ${documents} --companies 0`);
    const server = await startServer({ on: data, env });
    const figures: Figure[] = [];
    try {
      // Two jobs of the worker enter the documents, and publish what was entered.
      while (publishedIn(data) < documents) await wait(secondsInMs(1));
      const times = quick ? 20 : 200;
      const begun = coreSeconds(server.process.pid!);
      const seconds = p95(await timesOfProofs(server.url, codesIn(data), times));
      const cores = coreSeconds(server.process.pid!) - begun;
      figures.push({ what: "Proof of an entry, p95", value: seconds * 1000, unit: "ms", atMost: 20 });
      figures.push({ what: "The same, of a core", value: (cores / (times + warmUps)) * 1000, unit: "ms" });
      figures.push({ what: "Memory of the server, then", value: treeMegabytes(server.process.pid!), unit: "MB" });
    } finally {
      await server.stop();
    }
    const usage = join(scratch, "usage.json");
    command("verify-log", { NODE_OPTIONS: `--import ${notingUsage}`, USAGE: usage });
    const { cores, megabytes } = JSON.parse(readFileSync(usage, "utf8")) as { cores: number; megabytes: number };
    return [
      { what: "Entries of the log", value: publishedIn(data), unit: "documents" },
      ...figures,
      { what: "Files of the log", value: megabytesIn(join(data, "files/log")), unit: "MB", atMost: 40 },
      { what: "verify-log, seconds of a core", value: cores, unit: "s", atMost: 120 },
      { what: "Memory of verify-log at most", value: megabytes, unit: "MB" },
    ];
  } finally {
    if (!settings.benchData) rmSync(scratch, { recursive: true, force: true });
  }
}

const publishedIn = (data: string) =>
  inDatabase(
    { data },
    (db) => db.prepare("select coalesce(max(size), 0) from log_checkpoints").pluck().get() as number,
  );

/** Of documents all over the log. */
const codesIn = (data: string) =>
  inDatabase({ data }, (db) => {
    const codes = db.prepare("select code from documents where id % (select count(*) / 500 + 1 from documents) = 0");
    return codes.pluck().all() as string[];
  });

/** How long a process has used a core, by Linux in hundredths of a second. */
function coreSeconds(pid: number) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").slice(11, 13).map(Number);
  return (user! + system!) / 100;
}

const warmUps = 5;

/** Seconds of each request; the first ones warm the server up. */
async function timesOfProofs(url: string, codes: string[], times: number) {
  const seconds: number[] = [];
  for (let n = -warmUps; n < times; n++) {
    const headers = strangerHeaders(n + warmUps);
    const startedAt = performance.now();
    const reply = await fetch(`${url}/v/${codes[(n + warmUps) % codes.length]}/proof`, { headers });
    const text = await reply.text();
    if (!text.startsWith("c2sp.org/tlog-proof@")) throw new Error(`status ${reply.status}: ${text.slice(0, 200)}`);
    if (n >= 0) seconds.push((performance.now() - startedAt) / secondsInMs(1));
  }
  return seconds;
}

const megabytesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) /
  2 ** 20;

/** Has a program note, at its end, how long it used a core, and its most resident memory. */
const notingUsage = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from "node:fs";
  process.once("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { cores: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
    writeFileSync(process.env.USAGE, JSON.stringify(usage));
  });
`)}`;

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { environment } from "#lib/config.ts";
import { type FormClient, signInClientPastNotice } from "../support/form-client.ts";
import { newDatabase, startPostgres } from "../support/postgres.ts";
import { filledSignIns, signIn } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { settings } from "../support/settings.ts";
import { inDatabase } from "../support/stored.ts";
import { type Figure, p95 } from "./figures.ts";
import { loopDelays, watchingLoop } from "./watched.ts";
import { writerOn } from "./writer.ts";

/** The most that the 95th percentile of a page may take, in seconds, by the documents of the company. */
const sizes = [
  { documents: 100_000, companies: 5, atMost: 0.05 },
  { documents: 1_000_000, companies: 50, atMost: 0.1 },
];

/** `BENCH_DATA=folder` keeps SQLite's filled databases for the next run; `BENCH_ON=sqlite` leaves PostgreSQL out. */
const { benchData, benchOn } = settings;

/** How long staff's pages take among many documents, each after a write and at an address of its own, with all jobs due. */
export async function measurePages(quick: boolean): Promise<Figure[]> {
  const scratch = benchData ?? mkdtempSync(join(tmpdir(), "sealdesk-pages-"));
  const postgres = benchOn === "sqlite" ? { missing: "" } : await startPostgres();
  try {
    const figures: Figure[] = [];
    for (const size of quick ? sizes.slice(0, 1) : sizes) {
      if (benchOn !== "postgres") figures.push(...(await measureOn({ database: "SQLite", size, quick, scratch })));
      if ("missing" in postgres) continue;
      const { url } = await newDatabase(postgres.url);
      figures.push(...(await measureOn({ database: "PostgreSQL", size, quick, scratch, url })));
    }
    return figures;
  } finally {
    if (!("missing" in postgres)) postgres.stop();
    if (!benchData) rmSync(scratch, { recursive: true, force: true });
  }
}

type Where = { database: string; size: (typeof sizes)[number]; quick: boolean; scratch: string; url?: string };

async function measureOn({ database, size, quick, scratch, url }: Where): Promise<Figure[]> {
  const { documents, companies, atMost } = size;
  const data = join(scratch, `${database}-${documents}`);
  const env = { DATA_DIR: data, STORAGE_GB_PER_COMPANY: "0", ...(url && { DATABASE_URL: url, ...secrets }) };
  const args = ["fill", "--documents", String(documents), "--companies", String(companies)];
  if (url || !existsSync(join(data, "sealdesk.db")))
    execFileSync(process.execPath, ["build/server/cli.js", ...args], { env: { ...environment, ...env } });
  const delays = join(scratch, `${database}-${documents}.json`);
  const server = await startServer({ on: data, env: { ...env, ...watchingLoop(delays) } });
  const makeJobsDue = () =>
    url ? queryOn(url, dueNow) : Promise.resolve(void inDatabase({ data }, (db) => db.exec(dueNow)));
  const write = await writerOn(server.url);
  const figures: Figure[] = [];
  const among = `${database}, ${documents.toLocaleString("en")} documents`;
  try {
    for (const who of ["administrator", "branch"] as const) {
      const client = await signInClientPastNotice(server.url, { ...signIn, email: filledSignIns("large")[who] });
      const durations: { name: string; seconds: number }[] = [];
      await makeJobsDue();
      for (const [name, path] of Object.entries(await pathsFor(client))) {
        if ((await client.get(path)).status === 403) continue;
        const seconds = p95(await timesOf(client, path, write, quick ? 10 : 60));
        console.log(`  ${among}, ${who}: ${name}, p95 ${seconds.toFixed(3)} s`);
        durations.push({ name, seconds });
      }
      const slowest = durations.toSorted((a, b) => b.seconds - a.seconds)[0]!;
      const what = `${among}, ${who}: p95 of the slowest of ${durations.length} pages, ${slowest.name}`;
      figures.push({ what, value: slowest.seconds, unit: "s", atMost });
    }
  } finally {
    await server.stop();
  }
  const longest = loopDelays(delays).longest;
  figures.push({ what: `${among}: longest event-loop delay`, value: longest, unit: "s", atMost: 0.1 });
  return figures;
}

const dueNow = "update jobs set next_run = '2000-01-01T00:00:00.000Z' where locked_by is null";

async function queryOn(url: string, statement: string) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Seconds of each request; the first ones warm the server up. */
async function timesOf(client: FormClient, path: string, write: () => Promise<void>, times: number) {
  const seconds: number[] = [];
  for (let n = -5; n < times; n++) {
    await write();
    const startedAt = performance.now();
    await textOf(client, `${path}${path.includes("?") ? "&" : "?"}turn=${n}`);
    if (n >= 0) seconds.push((performance.now() - startedAt) / 1000);
  }
  return seconds;
}

async function textOf(client: FormClient, path: string) {
  const answer = await client.get(path);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: status ${answer.status}`);
  return text;
}

/** Staff's pages by name. */
async function pathsFor(client: FormClient): Promise<Record<string, string>> {
  const list = "/documents/list?per_page=50";
  const html = await textOf(client, list);
  const document = /\/documents\/\d+/.exec(html)![0];
  const pages = Math.ceil(Number((/ of (?:<!-- -->)?([\d,]+)/.exec(html)?.[1] ?? "50").replaceAll(",", "")) / 50);
  const sorts = ["name", "-number", "branch", "user", "category", "date"];
  const filters = {
    "a rare word": "name=zephyr",
    "a common word": "name=invoice",
    "no document's word": "name=qxqzj",
    "two common words": "name=vehicle+permit",
    "a common letter": "name=e",
    "two rare letters": "name=zw",
    "an email": "email=user-77",
    "a branch": "branch=Branch+07",
    "a date": "date=2025-03-03",
    "branch, date and word": "branch=Branch+07&date=2025-03-03&name=invoice",
  };
  return {
    "the list": list,
    "the page in the middle": `${list}&page=${Math.ceil(pages / 2)}`,
    "the last page": `${list}&page=${pages}`,
    ...Object.fromEntries(sorts.map((sort) => [`the list by ${sort.replace("-", "")}`, `${list}&sort=${sort}`])),
    ...Object.fromEntries(Object.entries(filters).map(([what, query]) => [`filtered by ${what}`, `${list}&${query}`])),
    "the archive": "/documents/archive?per_page=50",
    "a document": document,
    "the calendar": "/documents/calendar",
    "the dashboard": "/dashboard",
    "the search": "/search?q=invoice",
    alerts: "/alerts?per_page=50",
    "the map": "/map",
    "the audit trail": "/audit",
    users: "/users/list",
    branches: "/branches/list",
    help: "/help",
  };
}

const onlyHere = "only-for-benchmarks--and-only-on-this-machine";
const secrets = { SESSION_SECRET: onlyHere, SEAL_SECRET: onlyHere };

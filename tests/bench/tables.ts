import { execFileSync, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { environment } from "#lib/config.ts";
import { signInClientPastNotice, signInOverHttp } from "../support/form-client.ts";
import { newDatabase, startOwnPostgres } from "../support/postgres.ts";
import { filledSignIns, signIn } from "../support/sample.ts";
import { residentMegabytes, startServer, type TestServer } from "../support/server.ts";
import { type Figure, median, percentile } from "./figures.ts";

/** Tables that once stopped the server, and the largest that are read. */
const tables: [string, () => Buffer][] = [
  ["4 MB of line ends", () => Buffer.concat([heading, Buffer.alloc(4 * 1024 * 1024, "\n")])],
  ["19 MB of commas in one row", () => Buffer.concat([heading, Buffer.alloc(19_000_000, ",")])],
  ["10,000 rows of 200 cells", () => rowsOf(10_000, `${"1,".repeat(199)}1`)],
  ["10,000 rows of 1,900 characters", () => rowsOf(10_000, `Leeds,${"x".repeat(1_900)}`)],
];

const heading = Buffer.from("Name,City\n");

function rowsOf(rows: number, row: string) {
  const columns = row.split(",").map((_, n) => (n === 0 ? "Name" : `Column ${n}`));
  const lines = Array.from({ length: rows }, (_, n) => `Branch ${n}${row.slice(row.indexOf(","))}`);
  return Buffer.from([columns.join(","), ...lines].join("\n"));
}

/** What reading the worst tables of one company costs the others, on SQLite and on PostgreSQL. */
export async function measureTables(): Promise<Figure[]> {
  const figures = await measureOn("SQLite", {});
  const postgres = await startOwnPostgres();
  if ("missing" in postgres) return figures;
  const { url: DATABASE_URL } = await newDatabase(postgres.url);
  const SESSION_SECRET = randomUUID() + randomUUID();
  const env = { DATABASE_URL, SESSION_SECRET, SEAL_SECRET: SESSION_SECRET };
  figures.push(...(await measureOn("PostgreSQL", env)));
  postgres.stop();
  return figures;
}

async function measureOn(database: string, env: Record<string, string>): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-tables-"));
  const fill = ["build/server/cli.js", "fill", "--documents", "1000", "--companies", "1"];
  execFileSync(process.execPath, fill, { env: { ...environment, DATA_DIR: data, ...env }, stdio: "ignore" });
  const figures: Figure[] = [];
  for (const [name, content] of tables) {
    const server = await startServer({ on: data, env });
    const { token } = await signInOverHttp(server.url, asAdministratorOf("small-1"));
    const file = join(data, "table.csv");
    writeFileSync(file, heading);
    const sender = fork(new URL("sender.ts", import.meta.url), [server.url, token, file], { env: environment });
    process.once("exit", () => sender.kill());
    const send = async () => {
      const answered = once(sender, "message");
      sender.send("send");
      const [status] = await answered;
      if (![201, 422].includes(status)) throw new Error(`The table was answered with ${status}`);
    };
    const client = await signInClientPastNotice(server.url, asAdministratorOf("large"));
    const page = () => client.get("/documents/list");
    // Once before: what is loaded on first use belongs to the idle server.
    await send();
    writeFileSync(file, content());
    const memory = () => residentMegabytes(server.process.pid!);
    const before = memory();
    let peak = 0;
    // Pages that are asked for meanwhile would take memory of their own.
    const watching = setInterval(() => (peak = Math.max(peak, memory())), 50);
    await send();
    clearInterval(watching);
    const idle = await probe(server, page, () => wait(5_000));
    const busy = await probe(server, page, async () => {
      for (let n = 0; n < 2; n++) await send();
    });
    const what = `${database}, ${name}`;
    figures.push(
      { what: `${what}: /healthz, p99 over idle`, value: (busy.health - idle.health) / 1000, unit: "s", atMost: 0.05 },
      { what: `${what}: memory of the server over idle`, value: peak - before, unit: "MB", atMost: 64 },
      { what: `${what}: another company’s list ÷ idle`, value: busy.page / idle.page, unit: "times", atMost: 2 },
      { what: `${what}: end after SIGTERM`, value: await secondsToEnd(server, send), unit: "s", atMost: 2 },
    );
    await server.stop();
    sender.kill();
    console.log(
      figures
        .slice(-4)
        .map(({ what, value, unit }) => `${what}: ${value.toFixed(3)} ${unit}`)
        .join("\n"),
    );
  }
  rmSync(data, { recursive: true, force: true });
  return figures;
}

const asAdministratorOf = (company: string) => ({ ...signIn, email: filledSignIns(company).administrator });

/** The times of `/healthz` and of a page while something is done, in milliseconds. */
async function probe({ url }: TestServer, page: () => Promise<Response>, work: () => Promise<unknown>) {
  const [health, pages]: [number[], number[]] = [[], []];
  const over = new AbortController();
  const repeat = async (times: number[], pauseMs: number, send: () => Promise<Response>) => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      await (await send()).arrayBuffer();
      times.push(performance.now() - begun);
      await wait(pauseMs);
    }
  };
  const probes = [repeat(health, 10, () => fetch(`${url}/healthz`)), repeat(pages, 50, page)];
  await work();
  over.abort();
  await Promise.all(probes);
  return { health: percentile(health, 0.99), page: median(pages) };
}

async function secondsToEnd({ process: child }: TestServer, send: () => Promise<unknown>) {
  const sending = send().catch(() => {});
  await wait(300);
  const [begun, ended] = [performance.now(), once(child, "exit")];
  child.kill("SIGTERM");
  await ended;
  await sending;
  return (performance.now() - begun) / 1000;
}

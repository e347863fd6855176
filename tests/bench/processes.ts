import { Agent, get } from "node:http";
import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { secondsInMs } from "#lib/units.ts";
import { codeOf, signInClient } from "../support/form-client.ts";
import { samplePostgresAndS3, startPostgresAndS3 } from "../support/postgres-s3.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { runOnCores } from "./cores.ts";
import { strangerHeaders } from "./crowd.ts";
import { type Figure, median } from "./figures.ts";

/**
 * How much more two processes on one PostgreSQL answer than one. They run on the first core, each stopped but for its own part of each
 * period, as if it had a core of its own that is as much slower. Database and strangers have the other core.
 */
export async function measureProcesses(quick: boolean): Promise<Figure[]> {
  runOnCores(process.pid, "1");
  const close = await startPostgresAndS3();
  const sample = (await samplePostgresAndS3())!;
  const env = { ...sample.env, TRUSTED_PROXIES: "1" };
  const servers = [await startServer({ env }), await startServer({ env })];
  try {
    const client = await signInClient(servers[0]!.url);
    const paths: string[] = [];
    for (let id = 1; id <= 14; id++) paths.push(`/v/${await codeOf(client, `/documents/${id}`)}`);
    for (const { process } of servers) runOnCores(process.pid!, "0");
    const load = async (on: TestServer[], seconds: number) => {
      const answered = await Promise.all(on.map(({ url }) => countPages(url, paths, seconds)));
      return answered.reduce((sum, pages) => sum + pages, 0) / seconds;
    };
    await load(servers, quick ? 3 : 15);
    const end = takeTurns(servers);
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let turn = 0; turn < (quick ? 1 : 5); turn++) {
      const one = await load(servers.slice(0, 1), 6);
      const two = await load(servers, 6);
      rates.push(one);
      ratios.push(two / one);
    }
    end();
    return [
      {
        what: `Verification pages a second of one process with ${share * 100} % of a core`,
        value: median(rates),
        unit: "/s",
      },
      { what: "Two such processes on PostgreSQL ÷ one", value: median(ratios), unit: "times", atLeast: 1.8 },
    ];
  } finally {
    for (const server of servers) {
      server.process.kill("SIGCONT");
      await server.stop();
    }
    await sample.drop();
    await close();
    runOnCores(process.pid, `0-${cpus().length - 1}`);
  }
}

/** Pages that are opened in some seconds, by as many at once as a process always admits, with less work of ours than autocannon's. */
async function countPages(url: string, paths: string[], seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + secondsInMs(seconds);
  let pages = 0;
  const open = (n: number) =>
    new Promise<void>((resolve, reject) => {
      get(url + paths[n % paths.length]!, { agent, headers: strangerHeaders(n) }, (response) => {
        response.resume().on("end", () => (response.statusCode === 200 ? resolve() : reject(response.statusMessage)));
      }).on("error", reject);
    });
  const visitors = Array.from({ length: 16 }, async () => {
    for (; performance.now() < until; pages++) await open(stranger++);
  });
  await Promise.all(visitors);
  agent.destroy();
  return pages;
}

/** Each page is another stranger's. */
let stranger = 0;

/** Of the time that each process runs: little, so that the database's core has room for two as for one. */
const share = 0.2;
/** Short, so that waiting for the database goes on in other processes' parts: in turns of 100 ms each was mostly waiting. */
const periodMs = 25;

/** Lets each server run in its own part of each period. Returns what ends that. */
function takeTurns(servers: TestServer[]): () => void {
  const over = new AbortController();
  void (async () => {
    while (!over.signal.aborted) {
      for (const { process } of servers) {
        process.kill("SIGCONT");
        await wait(periodMs * share);
        process.kill("SIGSTOP");
        await wait(periodMs / servers.length - periodMs * share);
      }
    }
    for (const { process } of servers) process.kill("SIGCONT");
  })();
  return () => over.abort();
}

import { readdirSync, readFileSync } from "node:fs";
import { codeOf, signInClient } from "../support/form-client.ts";
import { samplePostgresAndS3, startPostgresAndS3 } from "../support/postgres-s3.ts";
import { startServer } from "../support/server.ts";
import { runOnCores } from "./cores.ts";
import { openPages } from "./crowd.ts";
import type { Figure } from "./figures.ts";
import { simulate, type Strangers, type System } from "./queues.ts";

/**
 * What one process with a core and a PostgreSQL server carry, and what a model of queues says of the same and of more of
 * them (`docs/scaling.md`). The process has the first core; strangers and database have the other one.
 */
export async function measureCapacity(quick: boolean): Promise<Figure[]> {
  const close = await startPostgresAndS3();
  const sample = (await samplePostgresAndS3())!;
  const server = await startServer({ env: { ...sample.env, TRUSTED_PROXIES: "1", LOG_LEVEL: "silent" } });
  try {
    const client = await signInClient(server.url);
    const paths: string[] = [];
    for (let id = 1; id <= 14; id++) paths.push(`/v/${await codeOf(client, `/documents/${id}`)}`);
    const pid = server.process.pid!;
    runOnCores(pid, "0");
    const seconds = quick ? 3 : 10;
    const ask = async (strangers: Strangers) => {
      const rate = "perSecond" in strangers ? { perSecond: strangers.perSecond, atOnce: 100 } : strangers;
      const usage = () => [processorMs(pid), postgresMs(), process.cpuUsage().user / 1000] as const;
      const before = usage();
      const { requests, latency } = await openPages(server.url, paths, { seconds, ...rate });
      const [own, database, client] = usage().map((ms, n) => (ms - before[n]!) / requests.total);
      const measured = { perSecond: requests.average, median: latency.p50, p99: latency.p99 };
      return { strangers, measured, own: own!, database: database!, client: client! };
    };
    await ask({ atOnce: 16 });
    const alone = await ask({ atOnce: 1 });
    const closed = [];
    for (const atOnce of [4, 16, 100]) closed.push(await ask({ atOnce }));
    const crowd = closed.at(-1)!;
    const open = [];
    for (const share of [0.4, 0.6, 0.8])
      open.push(await ask({ perSecond: Math.round(crowd.measured.perSecond * share) }));
    // In a crowd, a group costs next to nothing beside its scans.
    const database = {
      read: crowd.database / 2,
      scan: crowd.database / 2,
      group: Math.max(alone.database - crowd.database, 0),
    };
    const page = { mean: crowd.own, phases: 4 };
    const delay = Math.max(1000 / alone.measured.perSecond - alone.own - alone.database - alone.client, 0);
    const system: System = { processes: 1, page, database: { cores: 1, ...database }, largestGroup: 200, delay };
    // Strangers and database share a core here.
    const here = { ...system, database: { ...system.database, read: database.read + crowd.client } };
    console.log(JSON.stringify({ system, client: crowd.client }));
    return [...compare(here, [alone, ...closed, ...open], crowd.database), ...extrapolate(system)];
  } finally {
    await server.stop();
    await sample.drop();
    await close();
  }
}

type Point = { strangers: Strangers; measured: { perSecond: number; median: number; p99: number } };

/** The model beside what was measured. */
function compare(system: System, points: Point[], database: number): Figure[] {
  const ratios = points.map(({ strangers, measured }) => {
    const model = simulate(system, strangers, 60);
    console.log(JSON.stringify({ strangers, measured, model }));
    return model.perSecond / measured.perSecond;
  });
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return [
    { what: "Processor time of a verification page", value: system.page.mean, unit: "ms" },
    { what: "… in PostgreSQL", value: database, unit: "ms" },
    { what: "The model's pages a second ÷ the measured ones, least", value: least, unit: "times", atLeast: 0.75 },
    { what: "… most", value: most, unit: "times", atMost: 1.25 },
  ];
}

const target = 10_000;

/** How many processes the model needs for the target, and what they and their database then do. */
function extrapolate(system: System): Figure[] {
  // As many cores as it works, and half as many again.
  const work = (system.database.read + system.database.scan) * (target / 1000);
  const cores = Math.ceil(work * 1.5);
  const at = (processes: number, seconds: number) =>
    simulate({ ...system, processes, database: { ...system.database, cores } }, { perSecond: target }, seconds);
  const counts = Array.from({ length: 64 }, (_, n) => n + 1);
  const needed = counts.find((processes) => {
    const { perSecond, p99 } = at(processes, 10);
    return perSecond > target * 0.98 && p99 <= 100;
  });
  const { median, p99 } = at(needed ?? counts.length, 30);
  return [
    {
      what: `Processes for ${target} pages a second, each recording a scan`,
      value: needed ?? Infinity,
      unit: "processes",
    },
    { what: "… PostgreSQL's cores for them", value: cores, unit: "cores" },
    { what: "… median", value: median, unit: "ms" },
    { what: "… p99", value: p99, unit: "ms" },
  ];
}

/** The processor time of PostgreSQL's processes: the server's own, and of each connection. */
function postgresMs(): number {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.reduce((sum, id) => sum + (nameOf(id) === "postgres" ? processorMs(Number(id)) : 0), 0);
}

function nameOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/comm`, "utf8").trim();
  } catch {
    // Ended meanwhile.
    return "";
  }
}

/** The processor time that a process has used, from Linux's own account of it. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

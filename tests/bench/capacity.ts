import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import pg from "pg";
import { codeOf, signInClient } from "../support/form-client.ts";
import { samplePostgresAndS3, startPostgresAndS3 } from "../support/postgres-s3.ts";
import { startServer } from "../support/server.ts";
import { openPages } from "./crowd.ts";
import { type Figure, median } from "./figures.ts";
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
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", "0", String(pid)], { stdio: "ignore" });
    const seconds = quick ? 3 : 10;
    const ask = async (strangers: Strangers) => {
      const rate = "perSecond" in strangers ? { perSecond: strangers.perSecond, atOnce: 100 } : strangers;
      const before = processorMs(pid);
      const { requests, latency } = await openPages(server.url, paths, { seconds, ...rate });
      const measured = { perSecond: requests.average, median: latency.p50, p99: latency.p99 };
      return { strangers, measured, processor: (processorMs(pid) - before) / requests.total };
    };
    await ask({ atOnce: 16 });
    const closed = [];
    for (const atOnce of [1, 4, 16, 100]) closed.push(await ask({ atOnce }));
    const most = closed.at(-1)!.measured.perSecond;
    const open = [];
    for (const share of [0.4, 0.6, 0.8]) open.push(await ask({ perSecond: Math.round(most * share) }));
    const system: System = {
      processes: 1,
      page: { mean: closed.at(-1)!.processor, phases: 4 },
      group: { ...(await groupTimes(sample.env.DATABASE_URL!)), most: 200 },
      writers: 1,
    };
    console.log(JSON.stringify(system));
    return [...compare(system, [...closed, ...open]), ...extrapolate(system)];
  } finally {
    await server.stop();
    await sample.drop();
    await close();
  }
}

type Point = { strangers: Strangers; measured: { perSecond: number; median: number; p99: number } };

/** The model beside what was measured. */
function compare(system: System, points: Point[]): Figure[] {
  const ratios = points.map(({ strangers, measured }) => {
    const model = simulate(system, strangers, 60);
    console.log(JSON.stringify({ strangers, measured, model }));
    return model.perSecond / measured.perSecond;
  });
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return [
    { what: "Processor time of a verification page", value: system.page.mean / 1000, unit: "s" },
    {
      what: "PostgreSQL's time for a group of one scan",
      value: (system.group.base + system.group.perScan) / 1000,
      unit: "s",
    },
    { what: "… and for each further scan", value: system.group.perScan / 1000, unit: "s" },
    { what: "The model's pages a second ÷ the measured ones, least", value: least, unit: "times", atLeast: 0.75 },
    { what: "… most", value: most, unit: "times", atMost: 1.25 },
  ];
}

const target = 10_000;

/** How many processes the model needs for the target, and what they and their database then do. */
function extrapolate(system: System): Figure[] {
  const needed = Array.from({ length: 64 }, (_, n) => n + 1).find((processes) => {
    const { perSecond, p99 } = simulate({ ...system, processes, writers: 8 }, { perSecond: target }, 10);
    return perSecond > target * 0.98 && p99 <= 100;
  });
  const { median: middle, p99 } = simulate(
    { ...system, processes: needed ?? 64, writers: 8 },
    { perSecond: target },
    30,
  );
  return [
    {
      what: `Processes for ${target} verification pages a second, each recording a scan`,
      value: needed ?? Infinity,
      unit: "processes",
    },
    { what: "… median", value: middle / 1000, unit: "s" },
    { what: "… p99", value: p99 / 1000, unit: "s" },
  ];
}

/** How long a transaction with a group of scans takes, of one scan and of many. */
async function groupTimes(url: string): Promise<{ base: number; perScan: number }> {
  const database = new pg.Client(url);
  await database.connect();
  const columns = await database.query<{ column_name: string }>(
    "select column_name from information_schema.columns where table_name = 'scans' and column_name not in ('id', 'key_hash')",
  );
  const names = columns.rows.map(({ column_name }) => `"${column_name}"`).join(", ");
  const store = (scans: number) =>
    database.query(
      `insert into scans (${names}, key_hash) select ${names}, md5(random()::text) from scans limit ${scans}`,
    );
  const timesOf = async (scans: number) => {
    const times: number[] = [];
    for (let n = 0; n < 200; n++) {
      const begun = performance.now();
      await store(scans);
      times.push(performance.now() - begun);
    }
    return median(times);
  };
  const [one, many] = [await timesOf(1), await timesOf(100)];
  await database.end();
  const perScan = (many - one) / 99;
  return { base: one - perScan, perScan };
}

/** The processor time that a process has used, from Linux's own account of it. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

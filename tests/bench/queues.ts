import FlatQueue from "flatqueue";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { percentile } from "./figures.ts";

/**
 * A model of strangers, processes and one database: queues fed with measured service times. A page is first read by the
 * database, then made by its process, which has a core and makes one after another; its scan is then stored with those of
 * a group, of which a process has one at a time. All times are in milliseconds.
 */
export type System = {
  processes: number;
  /** Processor time of a page: of which each takes its share at random, by an Erlang distribution of this many phases. */
  page: { mean: number; phases: number };
  /** The database's cores, and its processor time to read a page, to store a group, and for each scan in one. */
  database: { cores: number; read: number; group: number; scan: number };
  /** Scans that a group has at most. */
  largestGroup: number;
  /** What a page takes beside all this, of which nobody has too much. */
  delay: number;
};

/** So many strangers who ask again as soon as they are answered, or so many a second who come by themselves. */
export type Strangers = { atOnce: number } | { perSecond: number };

/** What came of a simulation: pages a second, and how long strangers waited for theirs. */
export type Outcome = { perSecond: number; median: number; p99: number };

type Visit = { begun: number; process: number };
type Task = { kind: "read"; visit: Visit } | { kind: "stored"; process: number; visits: Visit[] };
type Event = { kind: "arrival" } | { kind: "asked" | "rendered"; visit: Visit } | { kind: "done"; task: Task };
type Process = { pages: Visit[]; isRendering: boolean; scans: Visit[]; isStoring: boolean };

/** Simulates so many seconds; the first fifth of them is not counted. The same seed gives the same outcome. */
export function simulate(system: System, strangers: Strangers, seconds: number, seed = 1): Outcome {
  const generator = xoroshiro128plus(seed);
  const exponential = (mean: number) => -Math.log(1 - uniformFloat64(generator)) * mean;
  const { page, database, largestGroup, delay } = system;
  const pageTime = () =>
    Array.from({ length: page.phases }, () => exponential(page.mean / page.phases)).reduce((sum, part) => sum + part);

  const events = new FlatQueue<Event>();
  const processes = Array.from({ length: system.processes }, (): Process => {
    return { pages: [], isRendering: false, scans: [], isStoring: false };
  });
  const tasks: Task[] = [];
  const waits: number[] = [];
  const [end, counted] = [seconds * 1000, seconds * 200];
  let [now, next, busy] = [0, 0, 0];

  const after = (ms: number, event: Event) => events.push(event, now + ms);
  const arrive = () => {
    after(delay, { kind: "asked", visit: { begun: now, process: next++ % processes.length } });
  };
  const render = (n: number) => {
    const process = processes[n]!;
    const visit = process.isRendering ? undefined : process.pages.shift();
    if (!visit) return;
    process.isRendering = true;
    after(pageTime(), { kind: "rendered", visit });
  };
  const store = (n: number) => {
    const process = processes[n]!;
    if (process.isStoring || process.scans.length === 0) return;
    process.isStoring = true;
    give({ kind: "stored", process: n, visits: process.scans.splice(0, largestGroup) });
  };
  const give = (task: Task) => {
    tasks.push(task);
    work();
  };
  const work = () => {
    const task = busy < database.cores ? tasks.shift() : undefined;
    if (!task) return;
    busy++;
    const ms = task.kind === "read" ? database.read : database.group + database.scan * task.visits.length;
    after(ms, { kind: "done", task });
  };
  const finish = ({ begun }: Visit) => {
    if (now >= counted) waits.push(now - begun);
    if ("atOnce" in strangers) arrive();
  };

  const finishTask = (task: Task) => {
    if (task.kind === "read") {
      processes[task.visit.process]!.pages.push(task.visit);
      return render(task.visit.process);
    }
    processes[task.process]!.isStoring = false;
    task.visits.forEach(finish);
    store(task.process);
  };

  if ("atOnce" in strangers) for (let n = 0; n < strangers.atOnce; n++) arrive();
  else after(0, { kind: "arrival" });
  while (now < end) {
    now = events.peekValue()!;
    const event = events.pop()!;
    if (event.kind === "arrival" && "perSecond" in strangers) {
      arrive();
      after(exponential(1000 / strangers.perSecond), event);
    } else if (event.kind === "asked") give({ kind: "read", visit: event.visit });
    else if (event.kind === "rendered") {
      const { visit } = event;
      processes[visit.process]!.isRendering = false;
      processes[visit.process]!.scans.push(visit);
      store(visit.process);
      render(visit.process);
    } else if (event.kind === "done") {
      busy--;
      finishTask(event.task);
      work();
    }
  }
  const perSecond = waits.length / ((end - counted) / 1000);
  return { perSecond, median: percentile(waits, 0.5), p99: percentile(waits, 0.99) };
}

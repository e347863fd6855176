import FlatQueue from "flatqueue";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { percentile } from "./figures.ts";

/**
 * A model of strangers, processes and one database: queues fed with measured service times. Each process has a core, works on
 * one page after another, and stores the scans of pages in groups, one at a time. All times are in milliseconds.
 */
export type System = {
  processes: number;
  /** Processor time of a page: of which each takes its share at random, by an Erlang distribution of this many phases. */
  page: { mean: number; phases: number };
  /** Of the database for a group, and how many scans one has at most. */
  group: { base: number; perScan: number; most: number };
  /** Groups that the database writes at once. */
  writers: number;
};

/** So many strangers who ask again as soon as they are answered, or so many a second who come by themselves. */
export type Strangers = { atOnce: number } | { perSecond: number };

/** What came of a simulation: pages a second, and how long strangers waited for theirs. */
export type Outcome = { perSecond: number; median: number; p99: number };

type Visit = { begun: number; process: number };
type Event =
  | { kind: "arrival" }
  | { kind: "rendered"; visit: Visit }
  | { kind: "stored"; process: number; visits: Visit[] };
type Process = { pages: Visit[]; isRendering: boolean; scans: Visit[]; isStoring: boolean };

/** Simulates so many seconds; the first fifth of them is not counted. The same seed gives the same outcome. */
export function simulate(system: System, strangers: Strangers, seconds: number, seed = 1): Outcome {
  const generator = xoroshiro128plus(seed);
  const exponential = (mean: number) => -Math.log(1 - uniformFloat64(generator)) * mean;
  const { page, group, writers } = system;
  const pageTime = () =>
    Array.from({ length: page.phases }, () => exponential(page.mean / page.phases)).reduce((sum, part) => sum + part);

  const events = new FlatQueue<Event>();
  const processes = Array.from({ length: system.processes }, (): Process => {
    return { pages: [], isRendering: false, scans: [], isStoring: false };
  });
  const groups: { process: number; visits: Visit[] }[] = [];
  const waits: number[] = [];
  const [end, counted] = [seconds * 1000, seconds * 200];
  let [now, next, writing] = [0, 0, 0];

  const after = (ms: number, event: Event) => events.push(event, now + ms);
  const arrive = () => {
    const visit = { begun: now, process: next++ % processes.length };
    processes[visit.process]!.pages.push(visit);
    render(visit.process);
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
    groups.push({ process: n, visits: process.scans.splice(0, group.most) });
    write();
  };
  const write = () => {
    const one = writing < writers ? groups.shift() : undefined;
    if (!one) return;
    writing++;
    after(group.base + group.perScan * one.visits.length, { kind: "stored", ...one });
  };
  const finish = ({ begun }: Visit) => {
    if (now >= counted) waits.push(now - begun);
    if ("atOnce" in strangers) arrive();
  };

  if ("atOnce" in strangers) for (let n = 0; n < strangers.atOnce; n++) arrive();
  else after(0, { kind: "arrival" });
  while (now < end) {
    now = events.peekValue()!;
    const event = events.pop()!;
    if (event.kind === "arrival" && "perSecond" in strangers) {
      arrive();
      after(exponential(1000 / strangers.perSecond), event);
    } else if (event.kind === "rendered") {
      const { visit } = event;
      processes[visit.process]!.isRendering = false;
      processes[visit.process]!.scans.push(visit);
      store(visit.process);
      render(visit.process);
    } else if (event.kind === "stored") {
      writing--;
      processes[event.process]!.isStoring = false;
      event.visits.forEach(finish);
      store(event.process);
      write();
    }
  }
  const perSecond = waits.length / ((end - counted) / 1000);
  return { perSecond, median: percentile(waits, 0.5), p99: percentile(waits, 0.99) };
}

import { expect, test } from "vitest";
import { type PageProcess, ProcessEnded, type Usage } from "./page-process.ts";
import { type QueueSettings, WorkQueue } from "./queue.ts";
import { PageWorkBusy } from "../refusals.ts";
import { type Priority, type Requester, Requesters } from "./requesters.ts";

/** Once everything that follows from what was done has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A job under way in a process that is none: it ends, and takes what it takes, when the test says so. */
type Work = { name: string; report(usage: Partial<Usage>): void; end(): void };

/** A queue whose jobs are known by the name of their file. */
function queueOf(settings: Partial<QueueSettings> = {}) {
  const working: Work[] = [];
  const started: PageProcess[] = [];
  const startProcess = () => {
    let stop: (error: Error) => void = () => {};
    let hasEnded = false;
    const process: PageProcess = {
      pid: undefined,
      hasEnded: () => hasEnded,
      run: (call, onUsage) =>
        new Promise((resolve, reject) => {
          const { path: name } = call.job as { path: string };
          const leave = (then: () => void) => {
            working.splice(working.indexOf(work), 1);
            stop = () => {};
            then();
          };
          const work: Work = {
            name,
            report: (usage) => onUsage({ cpu: 0, memory: 0, ...usage }),
            end: () => leave(() => resolve(name)),
          };
          working.push(work);
          stop = (error) => leave(() => reject(error));
        }),
      async kill() {
        stop(new ProcessEnded("killed"));
        await settled();
        hasEnded = true;
      },
    };
    started.push(process);
    return process;
  };
  const plenty = { tenant: 100, total: 100 };
  const queue = new WorkQueue({
    startProcess,
    slots: { staff: plenty, background: plenty, public: plenty },
    turnSeconds: { equal: 2, better: 0.25 },
    memoryBytes: { alone: 300, concurrent: 200, idle: 100 },
    idleMs: 1000,
    ...settings,
  });
  const finished: string[] = [];
  const add = (path: string, tenant: string, priority: Priority = "staff", seconds = 10) => {
    const requesters = new Requesters({ tenant, priority });
    const result = queue.run({ name: "inspect", job: { path } }, { requesters, seconds }).then(
      () => void finished.push(path),
      (error: { reason?: string }) => void finished.push(`${path}: ${error.reason}`),
    );
    return { requesters, done: result };
  };
  const names = () => working.map(({ name }) => name);
  const work = (name: string) => working.find((one) => one.name === name)!;
  return { queue, add, names, work, started, finished };
}

test("tenants take turns, and each one's jobs keep their order", async () => {
  const { add, names, work, finished } = queueOf();
  for (const job of ["a1", "a2", "a3", "b1", "c1", "b2"]) add(job, job[0]!);
  for (let n = 0; n < 6; n++) {
    await settled();
    work(names()[0]!).end();
  }
  await settled();
  expect(finished).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("staff come before visitors", async () => {
  const { add, names, work, finished } = queueOf();
  add("first", "z");
  add("visitor a1", "a", "public");
  add("visitor a2", "a", "public");
  add("visitor b", "b", "public");
  add("staff a", "a");
  add("staff b", "b");
  for (let n = 0; n < 6; n++) {
    await settled();
    work(names()[0]!).end();
  }
  await settled();
  const order = ["first", "staff a", "staff b", "visitor a1", "visitor b", "visitor a2"];
  expect(finished).toEqual(order);
});

test("background work starts in the slow lane", async () => {
  const { add, names, work, finished } = queueOf();
  add("background 1", "a", "background");
  add("background 2", "a", "background");
  add("staff", "a");
  await settled();
  expect(names()).toEqual(["background 1", "staff"]);
  for (const job of ["background 1", "background 2", "staff"]) {
    work(job).end();
    await settled();
  }
  expect(finished).toEqual(["background 1", "background 2", "staff"]);
});

test("as many processes wait for the next jobs as worked at once", async () => {
  const { add, work, started } = queueOf();
  for (let n = 0; n < 3; n++) {
    add("sealed", "a", "background");
    add("uploaded", "a");
    await settled();
    for (const job of ["sealed", "uploaded"]) work(job).end();
    await settled();
  }
  expect(started).toHaveLength(2);
});

test("a process that was killed while it waited gets no job", async () => {
  const { add, work, started, finished } = queueOf();
  for (const job of ["first", "second"]) {
    add(job, "a");
    await settled();
    work(job).end();
    await settled();
    await started[0]!.kill();
  }
  expect(started).toHaveLength(2);
  expect(finished).toEqual(["first", "second"]);
});

test("a process that is being killed gets no job", async () => {
  const { add, names, work, started } = queueOf();
  add("long", "a");
  const short = add("short", "b");
  await settled();
  work("long").report({ cpu: 2.1 });
  await settled();
  work("short").report({ cpu: 2.1 });
  // The next job comes as soon as this one is done.
  void short.done.then(() => add("next", "c"));
  work("short").end();
  await settled();
  expect(names()).toEqual(["long", "next"]);
  expect(started).toHaveLength(3);
});

test("background work goes on in its turn when staff join it", async () => {
  const { add, names, work } = queueOf();
  for (const job of ["first", "second"]) add(job, "a", "background");
  await settled();
  expect(names()).toEqual(["first"]);
  const joined = add("joined", "a", "background");
  joined.requesters.add({ tenant: "a", priority: "staff" });
  add("visitor", "b", "public");
  await settled();
  expect(names()).toEqual(["first", "joined"]);
  work("joined").end();
});

test("a long job continues in the slow lane when another waits", async () => {
  const { add, names, work, finished } = queueOf();
  add("long", "a");
  await settled();
  work("long").report({ cpu: 9 });
  expect(names()).toEqual(["long"]);
  add("short", "b");
  await settled();
  expect(names()).toEqual(["long", "short"]);
  work("short").end();
  await settled();
  work("long").end();
  await settled();
  expect(finished).toEqual(["short", "long"]);
});

test("beside a long job, a second one yields after its turn and restarts later", async () => {
  const { add, names, work, finished } = queueOf();
  for (const job of ["long a", "long b", "short"]) add(job, job);
  await settled();
  work("long a").report({ cpu: 2.1 });
  await settled();
  expect(names()).toEqual(["long a", "long b"]);
  work("long b").report({ cpu: 1.9 });
  await settled();
  expect(names()).toEqual(["long a", "long b"]);
  work("long b").report({ cpu: 2.1 });
  await settled();
  expect(names()).toEqual(["long a", "short"]);
  work("short").end();
  await settled();
  expect(names()).toEqual(["long a"]);
  work("long a").end();
  await settled();
  expect(names()).toEqual(["long b"]);
  work("long b").end();
  await settled();
  expect(finished).toEqual(["short", "long a", "long b"]);
});

test("a visitor's job yields to staff after a quarter of a second in either lane", async () => {
  const { add, names, work } = queueOf();
  add("visitor", "a", "public");
  await settled();
  add("staff", "b");
  await settled();
  expect(names()).toEqual(["visitor"]);
  work("visitor").report({ cpu: 0.3 });
  await settled();
  expect(names()).toEqual(["visitor", "staff"]);
  // The staff's job is long as well, and takes the visitor's place.
  add("more staff", "c");
  work("staff").report({ cpu: 2.1 });
  await settled();
  expect(names()).toEqual(["staff", "more staff"]);
  work("staff").end();
  await settled();
  expect(names()).toEqual(["more staff", "visitor"]);
});

test("staff do not yield to visitors", async () => {
  const { add, names, work } = queueOf();
  add("long a", "a");
  add("long b", "b");
  await settled();
  work("long a").report({ cpu: 2.1 });
  await settled();
  add("visitor", "c", "public");
  work("long b").report({ cpu: 5 });
  await settled();
  expect(names()).toEqual(["long a", "long b"]);
});

test("an interrupted job fails after twice its time in all", async () => {
  const { add, names, work, finished } = queueOf();
  add("visitor", "a", "public", 10);
  for (let n = 1; n <= 2; n++) {
    await settled();
    add(`staff ${n}`, "b");
    work("visitor").report({ cpu: 9 });
    await settled();
    add(`next ${n}`, "c");
    await settled();
    work(`staff ${n}`).report({ cpu: 2.1 });
    await settled();
    expect(names()).not.toContain("visitor");
    for (const name of names()) work(name).end();
    await settled();
    for (const name of names().filter((name) => name !== "visitor")) work(name).end();
    await settled();
    expect(names()).toEqual(["visitor"]);
  }
  work("visitor").report({ cpu: 2.1 });
  await settled();
  expect(finished).toContain("visitor: time");
});

test("a job over its time or memory fails, and the next ones run", async () => {
  const { add, names, work, finished } = queueOf();
  add("slow", "a");
  add("large", "b");
  add("honest", "c");
  await settled();
  work("slow").report({ cpu: 10.1 });
  await settled();
  work("large").report({ memory: 301 });
  await settled();
  expect(names()).toEqual(["honest"]);
  work("honest").end();
  await settled();
  expect(finished).toEqual(["slow: time", "large: memory", "honest"]);
});

test("two concurrent jobs are limited to the memory of one and a small one", async () => {
  const { add, names, work, finished } = queueOf();
  add("large a", "a");
  add("large b", "b");
  await settled();
  work("large a").report({ cpu: 2.1, memory: 290 });
  await settled();
  work("large b").report({ memory: 210 });
  await settled();
  expect(names()).toEqual(["large a"]);
  work("large a").end();
  await settled();
  // Its process takes a turn to end.
  await settled();
  work("large b").report({ memory: 290 });
  work("large b").end();
  await settled();
  expect(finished).toEqual(["large a", "large b"]);
});

test("a shared job has the best of its requesters' priorities, and runs until the last has left", async () => {
  const { add, names, work, finished } = queueOf();
  add("first", "a");
  add("visitor", "c", "public");
  const shared = add("shared", "b", "public");
  const leaving = [new AbortController(), new AbortController()] as const;
  shared.requesters.add({ tenant: "b", priority: "staff", signal: leaving[0].signal });
  await settled();
  work("first").end();
  await settled();
  expect(names()).toEqual(["shared"]);
  leaving[0].abort();
  await settled();
  expect(names()).toEqual(["shared"]);
  work("shared").end();
  await settled();
  expect(finished).toEqual(["first", "shared"]);
  work("visitor").end();
});

test("a job is dropped or killed when no requester is left", async () => {
  const { queue, names } = queueOf();
  const leaving = new AbortController();
  const leavingRequester: Requester = { tenant: "a", priority: "staff", signal: leaving.signal };
  const runs = ["runs", "waits"].map((path) =>
    queue.run({ name: "inspect", job: { path } }, { requesters: new Requesters(leavingRequester), seconds: 10 }),
  );
  await settled();
  expect(names()).toEqual(["runs"]);
  leaving.abort(new Error("went away"));
  for (const result of await Promise.allSettled(runs))
    expect(result).toMatchObject({ reason: { message: "went away" } });
  await settled();
  expect(names()).toEqual([]);
});

test("a job that is no longer needed is not started", async () => {
  const { queue, add, names, work } = queueOf();
  add("first", "a");
  const requesters = new Requesters({ tenant: "b", priority: "staff" });
  const check = () => Promise.reject(new Error("no longer needed"));
  const pointless = queue.run({ name: "inspect", job: { path: "pointless" } }, { requesters, seconds: 10, check });
  await settled();
  work("first").end();
  await expect(pointless).rejects.toThrow("no longer needed");
  expect(names()).toEqual([]);
});

test("slots are limited by priority, for each tenant and in total, and are released", () => {
  const few = { tenant: 2, total: 3 };
  const { queue } = queueOf({ slots: { staff: few, background: few, public: few } });
  const staff = (tenant: string) => queue.enter({ tenant, priority: "staff" });
  const leave = staff("a");
  staff("a");
  expect(() => staff("a")).toThrow(PageWorkBusy);
  staff("b");
  expect(() => staff("b")).toThrow(PageWorkBusy);
  queue.enter({ tenant: "a", priority: "public" });
  leave();
  staff("b");
  expect(() => staff("a")).toThrow(PageWorkBusy);
});

import { performance } from "node:perf_hooks";
import type { MiddlewareFunction } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { secondsInMs } from "#lib/units.ts";
import { withRequest } from "../request/request-context.ts";
import { loadShedding } from "./load-shedding.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A busy process, whose requests are answered by the test. */
function busyProcess(utilization = 1) {
  const active = utilization * secondsInMs(0.5);
  const load = { utilization, idle: secondsInMs(0.5) - active, active };
  vi.spyOn(performance, "eventLoopUtilization").mockReturnValue(load);
  const shed = loadShedding(async (cookies) => cookies === user.cookie);
  const open: (() => void)[] = [];
  return {
    /** The status, undefined if the request was admitted. */
    async ask(headers: Record<string, string>, method = "GET", url = "/v/CODE", arrival?: Promise<void>) {
      const admitted = Promise.withResolvers<undefined>();
      const next = () => {
        admitted.resolve(undefined);
        return new Promise<Response>((resolve) => open.push(() => resolve(new Response())));
      };
      const request = new Request(`http://localhost${url}`, { method, headers });
      const args = { request } as Parameters<MiddlewareFunction<Response>>[0];
      const answer = withRequest({ arrival }, () => shed(args, next)) as Promise<Response>;
      return Promise.race([admitted.promise, answer.then(({ status }) => status)]);
    },
    sample: () => vi.advanceTimersByTime(secondsInMs(0.5)),
    async answerAll() {
      open.splice(0).forEach((answer) => answer());
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

type Asked = Parameters<ReturnType<typeof busyProcess>["ask"]>;

const user = { cookie: "session=signed" };

test.each<[string, ...Asked]>([
  ["strangers", {}],
  ["strangers with made-up cookies", { cookie: "session=made-up" }],
  ["programs with made-up keys", { authorization: "Bearer made-up" }],
  ["requests for the sign-in page", {}, "GET", "/login"],
])("a crowd of %s beyond what a process answers turns no user away", async (_, ...requestOptions) => {
  const { ask, sample, answerAll } = busyProcess();
  sample();
  const crowd = await Promise.all(Array.from({ length: 200 }, () => ask(...requestOptions)));
  expect(crowd.filter((status) => status === undefined)).toHaveLength(16);
  expect(crowd.at(-1)).toBe(503);
  expect(await Promise.all([ask(user), ask(user, "POST")])).toEqual([undefined, undefined]);
  await answerAll();
});

test.each([
  [0.9, 0],
  [0.91, 184],
])("at a utilization of %d, %i of 200 strangers are rejected", async (utilization, count) => {
  const { ask, sample, answerAll } = busyProcess(utilization);
  sample();
  const crowd = await Promise.all(Array.from({ length: 200 }, () => ask({})));
  expect(crowd.filter((status) => status === 503)).toHaveLength(count);
  await answerAll();
});

test("a share of the process grows with what is answered of it", async () => {
  const { ask, sample, answerAll } = busyProcess();
  for (let n = 0; n < 30; n++) await ask(user);
  await answerAll();
  sample();
  const admitted = async (headers: Record<string, string>) => {
    const requestOptions = await Promise.all(Array.from({ length: 100 }, () => ask(headers)));
    return requestOptions.filter((status) => status === undefined).length;
  };
  expect([await admitted(user), await admitted({})]).toEqual([60, 16]);
  await answerAll();
});

test("a form counts from when it has arrived", async () => {
  const { ask, sample, answerAll } = busyProcess();
  sample();
  const never = new Promise<void>(() => {});
  for (let n = 0; n < 100; n++) expect(await ask({}, "POST", "/v/CODE", never)).toBeUndefined();
  expect(await ask({})).toBeUndefined();
  const arrived = await Promise.all(Array.from({ length: 100 }, () => ask({}, "POST", "/v/CODE")));
  expect(arrived.filter((status) => status === undefined)).toHaveLength(63);
  await answerAll();
});

test("a browser's sign-in that waited its turn in vain is sent again by itself, five times at most; a program's is not", async () => {
  const clock = vi.spyOn(performance, "now");
  const now = performance.now();
  const { ask } = busyProcess(0);
  const post = (url: string) => {
    // As much later at each look.
    let looks = 0;
    clock.mockImplementation(() => now + secondsInMs(5) * looks++);
    return ask({}, "POST", url);
  };
  // Twenty of a network are admitted or wait; the rest of the crowd is held back.
  for (let n = 0; n < 20; n++) await post("/login");
  expect(await post("/login?next=%2Fusers")).toBe(307);
  expect(await post("/login?try=5")).toBe(503);
  expect(await post("/api/login")).toBe(503);
}, 60_000);

import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { secondsInMs } from "#lib/units.ts";
import { loadShedding } from "./load-shedding.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A busy process, whose requests are answered by the test. */
function busyProcess() {
  const busy = { utilization: 1, idle: 0, active: secondsInMs(0.5) };
  vi.spyOn(performance, "eventLoopUtilization").mockReturnValue(busy);
  const listen = loadShedding(
    () => {},
    async (cookies) => cookies === user.cookie,
  );
  const open: (() => void)[] = [];
  return {
    /** The status, undefined where the request was admitted. */
    async ask(headers: IncomingMessage["headers"], method = "GET", url = "/v/CODE"): Promise<number | undefined> {
      let status: number | undefined;
      const response = Object.assign(new EventEmitter(), {
        headersSent: false,
        writeHead: (given: number) => Object.assign(response, { headersSent: true, end: () => (status = given) }),
      });
      const request = Object.assign(new EventEmitter(), { method, url, headers });
      await listen(request as IncomingMessage, response as unknown as ServerResponse);
      request.emit("end");
      open.push(() => response.emit("close"));
      return status;
    },
    sample: () => vi.advanceTimersByTime(secondsInMs(0.5)),
    answerAll: () => open.splice(0).forEach((answer) => answer()),
  };
}

type Asked = Parameters<ReturnType<typeof busyProcess>["ask"]>;

const user: Asked[0] = { cookie: "session=signed" };

test.each<[string, ...Asked]>([
  ["strangers", {}],
  ["strangers with made-up cookies", { cookie: "session=made-up" }],
  ["programs with made-up keys", { authorization: "Bearer made-up" }],
  ["requests for the sign-in page", {}, "GET", "/login"],
])("a crowd of %s beyond what a process answers turns no user away", async (_, ...asked) => {
  const { ask, sample, answerAll } = busyProcess();
  sample();
  const crowd = await Promise.all(Array.from({ length: 200 }, () => ask(...asked)));
  expect(crowd.filter((status) => status === undefined)).toHaveLength(16);
  expect(crowd.at(-1)).toBe(503);
  expect(await Promise.all([ask(user), ask(user, "POST")])).toEqual([undefined, undefined]);
  answerAll();
});

test("a share of the process grows with what is answered of it", async () => {
  const { ask, sample, answerAll } = busyProcess();
  for (let n = 0; n < 30; n++) await ask(user);
  answerAll();
  sample();
  const admitted = async (headers: IncomingMessage["headers"]) => {
    const asked = await Promise.all(Array.from({ length: 100 }, () => ask(headers)));
    return asked.filter((status) => status === undefined).length;
  };
  expect([await admitted(user), await admitted({})]).toEqual([60, 16]);
  answerAll();
});

test("a connection that closes while its session is verified takes no place", async () => {
  const handle = vi.fn();
  const listen = loadShedding(handle, async () => true);
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const request = Object.assign(new EventEmitter(), { method: "GET", url: "/dashboard", headers: user });
  const listened = listen(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  response.destroyed = true;
  await listened;
  expect(handle).not.toHaveBeenCalled();
});

import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { secondsInMs } from "#units";
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
  const listen = loadShedding(() => {});
  const open: (() => void)[] = [];
  return {
    /** The status, undefined where the request was admitted. */
    ask(headers: IncomingMessage["headers"], method = "GET", url = "/v/CODE"): number | undefined {
      let status: number | undefined;
      const response = Object.assign(new EventEmitter(), {
        headersSent: false,
        writeHead: (given: number) => Object.assign(response, { headersSent: true, end: () => (status = given) }),
      });
      const request = Object.assign(new EventEmitter(), { method, url, headers });
      listen(request as IncomingMessage, response as unknown as ServerResponse);
      request.emit("end");
      open.push(() => response.emit("close"));
      return status;
    },
    sample: () => vi.advanceTimersByTime(secondsInMs(0.5)),
    answerAll: () => open.splice(0).forEach((answer) => answer()),
  };
}

const user = { cookie: "session=signed" };
const program = { authorization: "Bearer key" };

test("a crowd of strangers beyond what a process answers turns no user away", () => {
  const { ask, sample, answerAll } = busyProcess();
  sample();
  const crowd = Array.from({ length: 200 }, () => ask({}));
  expect(crowd.filter((status) => status === undefined)).toHaveLength(16);
  expect(crowd.at(-1)).toBe(503);
  const ofUsers = [ask(user), ask(program), ask(user, "POST"), ask({}, "GET", "/login")];
  expect(ofUsers.filter((status) => status === undefined)).toHaveLength(4);
  answerAll();
});

test("a share of the process grows with what is answered of it", () => {
  const { ask, sample, answerAll } = busyProcess();
  for (let n = 0; n < 30; n++) ask(user);
  answerAll();
  sample();
  const admitted = (headers: IncomingMessage["headers"]) =>
    Array.from({ length: 100 }, () => ask(headers)).filter((status) => status === undefined).length;
  expect([admitted(user), admitted({})]).toEqual([60, 16]);
  answerAll();
});

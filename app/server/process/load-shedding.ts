import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { admitInTurn, carriesPassword } from "./admission.ts";
import { log } from "./log.ts";
import { pathOf } from "../request/target.ts";
import { onResponseHead } from "./observe-request.ts";
import { secondsInMs, minutesInMs } from "#units";

/**
 * Turns requests away while more are being worked on than can be answered soon: those that are let in are then answered
 * at the usual pace, where otherwise all would be too late for whoever waits for them.
 */

/** How many seconds a request may take because of those before it; and how many are let in on the slowest machine. */
const [longestWait, fewest] = [1, 16];
/** What was typed is let in for as many times longer than what is merely looked at. */
const patienceForWriting = 4;
/** From which share of its time on the process counts as busy. A provider that is slow keeps requests but no processor. */
const busy = 0.9;
/** Over how many seconds that is looked at. */
const span = 0.5;

/** What operators ask. */
const ofOperators = /^\/(healthz|readyz|metrics|\.well-known\/security\.txt)$/;
const folder = resolve("build/client");
/** What is a file costs next to nothing; an address like one's that is none is a page, which says so. */
const files = new Set(
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => pathOf(`/${name}`))
    : [],
);

const isAlwaysLetIn = (path: string) => ofOperators.test(path) || files.has(path);

let [working, answered, rejected] = [0, 0, 0];
/** How many may be worked on at once, by how many are answered just now. Without limit while the process has rest. */
let most = Infinity;
let last = performance.eventLoopUtilization();

function sampleLoad() {
  const now = performance.eventLoopUtilization();
  const { utilization, idle, active } = performance.eventLoopUtilization(now, last);
  const seconds = (idle + active) / 1000;
  most = utilization > busy ? Math.max(fewest, (answered / seconds) * longestWait) : Infinity;
  [answered, last] = [0, now];
}

/** Told once a minute, however many they are. */
function logRejected() {
  if (rejected > 0) log.warn({ requests: rejected }, "more was asked than can be done: requests were turned away");
  rejected = 0;
}

/** `handle`, for as many requests as it can answer. */
export function loadShedding(handle: RequestListener): RequestListener {
  setInterval(sampleLoad, secondsInMs(span)).unref();
  setInterval(logRejected, minutesInMs(1)).unref();
  const takeInTurn = admitInTurn(handle, reject);
  return (request, response) => {
    const isReading = request.method === "GET" || request.method === "HEAD";
    // They wait without taking the processor, so they are counted apart from pages.
    if (carriesPassword(request)) return takeInTurn(request, response);
    const limit = isReading ? most : most * patienceForWriting;
    if (working >= limit && !isAlwaysLetIn(pathOf(request.url))) return reject(request, response);
    count(request, response, isReading);
    handle(request, response);
  };
}

/** Counts a request from when it has arrived until its answer begins: slow uploads and downloads cost little meanwhile. */
function count(request: IncomingMessage, response: ServerResponse, isReading: boolean) {
  let isCounted = false;
  const begin = () => {
    if (!response.headersSent) [isCounted, working] = [true, working + 1];
  };
  const end = () => {
    if (isCounted) [isCounted, working, answered] = [false, working - 1, answered + 1];
  };
  if (isReading) begin();
  else request.once("end", begin);
  onResponseHead(response, end);
  response.once("close", end);
}

const words = "Sealdesk has too much to do just now. Nothing was changed. Go back, and try again in a few seconds.";

const toSignIn = '<p><a href="/login">Sign in</a></p>';

function reject({ url }: IncomingMessage, response: ServerResponse) {
  rejected++;
  const answer = (type: string, content: string) =>
    response.writeHead(503, { "content-type": type, "cache-control": "no-store", "retry-after": "3" }).end(content);
  if (url?.startsWith("/api/")) return answer("application/json", JSON.stringify({ message: words }));
  return answer(
    "text/html; charset=utf-8",
    `<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>Too busy</title><h1>Too busy</h1><p>${words}</p>${url?.startsWith("/login") ? toSignIn : ""}</html>`,
  );
}

import { performance } from "node:perf_hooks";
import type { MiddlewareFunction } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { metrics } from "#lib/metrics.ts";
import { minutesInMs, secondsInMs } from "#lib/units.ts";
import { admitInTurn, carriesPassword } from "./admission.ts";
import { log } from "./log.ts";
import { isRestoring, requestContext } from "../request/request-context.ts";
import { plainPage, staffWords, wordsForStranger } from "../request/plain-page.ts";
import { isForPrograms, targetOf } from "../request/target.ts";
import { readsOnly } from "./observe-request.ts";

/** Rejects requests that would wait too long, so that the others are answered in time (`docs/decisions/load-shedding.md`). */

const maxWaitSeconds = 1;
const minAdmitted = 16;
/** Writes carry users' work, so that many times as many are admitted. */
const writeFactor = 4;
/** Share of the event loop from which the process is busy. Waiting for a slow provider uses none of it. */
const busyUtilization = 0.9;
const sampleSeconds = 0.5;

const operatorPaths = /^\/(healthz|readyz|metrics|\.well-known\/security\.txt)$/;

/**
 * Each has a share of the process, so that a crowd of one kind rejects no user. Made-up cookies are strangers'; keys are looked up by the API
 * alone, so that made-up ones compete with other programs.
 */
const kinds = ["user", "program", "signing in", "stranger"] as const;
type Kind = (typeof kinds)[number];

/** Whether a Cookie header carries the signed session of a user. */
type HasUser = (cookies: string) => Promise<boolean>;

const kindWithoutSession = (headers: Headers, path: string): Kind =>
  headers.has("authorization") ? "program" : isForSignIn(path) ? "signing in" : "stranger";

const isForSignIn = (path: string) => path.startsWith("/login");

type Share = { inProgress: number; answered: number; maxInProgress: number };

const newShare = (): Share => ({ inProgress: 0, answered: 0, maxInProgress: Infinity });

let rejected = 0;

function logRejected() {
  if (rejected > 0) log.warn({ requests: rejected }, "overloaded, requests rejected");
  rejected = 0;
}

export function loadShedding(hasUser: HasUser): MiddlewareFunction<Response> {
  const shares = new Map(kinds.map((kind) => [kind, newShare()]));
  setInterval(loadSampler([...shares.values()]), secondsInMs(sampleSeconds)).unref();
  setInterval(logRejected, minutesInMs(1)).unref();
  const admit = admitInTurn();
  return async ({ request }, next) => {
    if (isRestoring()) return next();
    const { pathname } = new URL(request.url);
    // These wait without using the processor, so they have limits of their own.
    if (carriesPassword(request)) {
      const arrivedAt = performance.now();
      return (await admit(request, next)) ?? sendAgain(request, arrivedAt) ?? reject(request, "password");
    }
    const cookie = request.headers.get("cookie");
    const kind = cookie && (await hasUser(cookie)) ? "user" : kindWithoutSession(request.headers, pathname);
    const share = shares.get(kind)!;
    const max = share.maxInProgress * (readsOnly(request) ? 1 : writeFactor);
    if (share.inProgress >= max && !operatorPaths.test(pathname)) return reject(request, kind);
    return count(share, next);
  };
}

/** Holds each share to what was answered of it since the last sample, while the process is busy. */
function loadSampler(shares: Share[]) {
  let lastSample = performance.eventLoopUtilization();
  return () => {
    const sample = performance.eventLoopUtilization();
    const { utilization, idle, active } = performance.eventLoopUtilization(sample, lastSample);
    const seconds = (idle + active) / secondsInMs(1);
    lastSample = sample;
    for (const share of shares) {
      const answeredInTime = (share.answered / seconds) * maxWaitSeconds;
      share.maxInProgress = utilization > busyUtilization ? Math.max(minAdmitted, answeredInTime) : Infinity;
      share.answered = 0;
    }
  };
}

/** Counts a request from its arrival to the head of its response, as slow uploads and downloads cost little. */
async function count(share: Share, next: () => Promise<Response>): Promise<Response> {
  let [isCounted, isAnswered] = [false, false];
  const begin = () => {
    if (isAnswered) return;
    isCounted = true;
    share.inProgress++;
  };
  const arrival = requestContext()?.arrival;
  if (arrival) void arrival.then(begin);
  else begin();
  try {
    return await next();
  } finally {
    isAnswered = true;
    if (isCounted) {
      share.inProgress--;
      share.answered++;
    }
  }
}

const message = wordsOf("en").t("problem.busy.text");

const triesParameter = "try";
const maxTries = 5;
const minWaitMs = secondsInMs(2);

/** Lets a browser send a form with a password once more by itself, after it has waited its turn in vain; 307 keeps the form. */
function sendAgain({ url }: Request, arrivedAt: number): Response | undefined {
  const { pathname, searchParams } = new URL(url);
  const tries = Number(searchParams.get(triesParameter)) + 1;
  const isPage = !isForPrograms(pathname);
  if (!isPage || !(tries <= maxTries) || performance.now() - arrivedAt < minWaitMs) return undefined;
  searchParams.set(triesParameter, String(tries));
  const headers = { location: `${pathname}?${searchParams}`, "cache-control": "no-store" };
  return new Response(null, { status: 307, headers });
}

const signInLink = `<p><a href="/login">${t("common.signIn")}</a></p>`;

function reject({ url, headers }: Request, kind: Kind | "password"): Response {
  rejected++;
  metrics.requestsShed.inc({ kind });
  const { pathname } = new URL(url);
  const reply = (type: string, content: string) =>
    new Response(content, {
      status: 503,
      headers: { "content-type": type, "cache-control": "no-store", "retry-after": "3" },
    });
  if (isForPrograms(pathname)) return reply("application/json", JSON.stringify({ message }));
  const words = wordsForStranger(targetOf(url), headers.get("accept-language")) ?? staffWords;
  const texts = { title: words.t("problem.busy.title"), text: words.t("problem.busy.text") };
  const link = isForSignIn(pathname) ? signInLink : "";
  if (link) texts.text = t("server.process.loadShedding.manySignIns");
  return reply("text/html; charset=utf-8", plainPage(words, { ...texts, link }));
}

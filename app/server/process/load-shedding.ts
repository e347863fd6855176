import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { say } from "#lib/messages/staff.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { minutesInMs, secondsInMs } from "#lib/units.ts";
import { admitInTurn, carriesPassword } from "./admission.ts";
import { isClientFile } from "./client-files.ts";
import { log } from "./log.ts";
import { plainPage, staffWords, wordsForStranger } from "../request/plain-page.ts";
import { pathOf } from "../request/target.ts";
import { onceHere, onResponseHead, readsOnly } from "./observe-request.ts";
import { countUser } from "./users-first.ts";

/** Rejects requests that would wait too long, so that the others are answered in time (`docs/decisions/load-shedding.md`). */

const maxWaitSeconds = 1;
const minAdmitted = 16;
/** Writes carry users' work, so that many times as many are admitted. */
const writeFactor = 4;
/** Share of the event loop from which the process is busy. Waiting for a slow provider uses none of it. */
const busyUtilization = 0.9;
const sampleSeconds = 0.5;

const operatorPaths = /^\/(healthz|readyz|metrics|\.well-known\/security\.txt)$/;
/** Static files cost next to nothing. */
const isExempt = (url: string | undefined) => operatorPaths.test(pathOf(url)) || isClientFile(url);

/**
 * Each has a share of the process, so that a crowd of one kind rejects no user. Made-up cookies are strangers'; keys are looked up by the API
 * alone, so that made-up ones compete with other programs.
 */
const kinds = ["user", "program", "signing in", "stranger"] as const;
type Kind = (typeof kinds)[number];

/** Whether a Cookie header carries the signed session of a user. */
type HasUser = (cookies: string) => Promise<boolean>;

const kindWithoutSession = ({ url, headers }: IncomingMessage): Kind =>
  headers.authorization ? "program" : isForSignIn(url) ? "signing in" : "stranger";

const isForSignIn = (url: string | undefined) => url?.startsWith("/login") ?? false;

type Share = { inProgress: number; answered: number; maxInProgress: number };

const newShare = (): Share => ({ inProgress: 0, answered: 0, maxInProgress: Infinity });

let rejected = 0;

function logRejected() {
  if (rejected > 0) log.warn({ requests: rejected }, "overloaded, requests rejected");
  rejected = 0;
}

export function loadShedding(handle: RequestListener, hasUser: HasUser): RequestListener {
  const shares = new Map(kinds.map((kind) => [kind, newShare()]));
  setInterval(loadSampler([...shares.values()]), secondsInMs(sampleSeconds)).unref();
  setInterval(logRejected, minutesInMs(1)).unref();
  const admit = admitInTurn(handle, reject);
  return async (request, response) => {
    // These wait without using the processor, so they have limits of their own.
    if (carriesPassword(request)) return admit(request, response);
    const { cookie } = request.headers;
    const kind = cookie && (await hasUser(cookie)) ? "user" : kindWithoutSession(request);
    // The client closed the connection meanwhile; its place would never be returned.
    if (response.destroyed) return;
    const share = shares.get(kind)!;
    const max = share.maxInProgress * (readsOnly(request) ? 1 : writeFactor);
    if (share.inProgress >= max && !isExempt(request.url)) return reject(request, response);
    count(share, request, response);
    if (kind === "user") countUser(request, response);
    handle(request, response);
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
function count(share: Share, request: IncomingMessage, response: ServerResponse) {
  let isCounted = false;
  const begin = () => {
    if (response.headersSent) return;
    isCounted = true;
    share.inProgress++;
  };
  const end = () => {
    if (!isCounted) return;
    isCounted = false;
    share.inProgress--;
    share.answered++;
  };
  onceHere(request, begin);
  onResponseHead(response, end);
  response.once("close", end);
}

const message = wordsOf("en").say("problem.busy.text");

const signInLink = `<p><a href="/login">${say("common.signIn")}</a></p>`;

function reject({ url, headers }: IncomingMessage, response: ServerResponse) {
  rejected++;
  const answer = (type: string, content: string) =>
    response.writeHead(503, { "content-type": type, "cache-control": "no-store", "retry-after": "3" }).end(content);
  if (url?.startsWith("/api/")) return answer("application/json", JSON.stringify({ message }));
  const words = wordsForStranger(url ?? "", headers["accept-language"]) ?? staffWords;
  const said = { title: words.say("problem.busy.title"), text: words.say("problem.busy.text") };
  const link = isForSignIn(url) ? signInLink : "";
  return answer("text/html; charset=utf-8", plainPage(words, { ...said, link }));
}

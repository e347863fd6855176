import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { metrics } from "#metrics";
import { secondsInMs } from "#units";
import { type RequestContext, enterRequest, withRequest } from "../request/request-context.ts";
import { log } from "./log.ts";
import { fileHeaders, routeHeaders } from "../request/security.ts";

/**
 * What every request and reply goes through, also those that never reach the router: static files, and what the server
 * refuses by itself.
 */

/** A reply that is longer in the making is worth a line in the log. */
const slowMs = secondsInMs(5);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export function observeRequest(request: IncomingMessage, response: ServerResponse) {
  const about: RequestContext = {};
  enterRequest(about);
  metrics.requestsInFlight.inc();
  const began = performance.now();
  let [read, answered] = [began, 0];
  request.once("end", () => (read = performance.now()));
  onResponseHead(response, () => {
    answered = performance.now();
    for (const [name, value] of about.route ? routeHeaders : fileHeaders) {
      if (!about.route || !response.hasHeader(name)) response.setHeader(name, value);
    }
  });
  // Before the server writes its log, which it also does where a connection breaks.
  about.changed = () => hideInLog(request, about.route);
  response.once("finish", about.changed);
  response.once("close", () => {
    const ended = performance.now();
    const isWhole = response.writableFinished;
    const status = isWhole ? String(response.statusCode) : "aborted";
    const method = methods.includes(request.method!) ? request.method! : "other";
    const route = about.route ?? (response.statusCode < 400 ? "(file)" : "(refused)");
    metrics.requestsInFlight.dec();
    metrics.requests.inc({ route, method, status });
    metrics.requestSeconds.observe({ route, method }, (ended - began) / 1000);
    // How long somebody's line takes to bring a file is not ours to judge.
    const milliseconds = Math.round((answered || ended) - Math.min(read, answered || ended));
    const isSlow = request.complete && milliseconds > slowMs;
    // Refused because too much waits: the metrics count these, of which visitors can cause many.
    const isAnotherTime = response.statusCode === 503 && response.hasHeader("retry-after");
    // 501: a page says that another's provider lacks something. What never came to a route is told where it was refused.
    const isUnexplained =
      isWhole &&
      about.route &&
      response.statusCode >= 500 &&
      response.statusCode !== 501 &&
      !about.isLogged &&
      !isAnotherTime;
    const tell = (message: string) => withRequest(about, () => log.warn({ status, milliseconds }, message));
    if (isUnexplained) tell("a request was answered with an error");
    else if (isSlow) tell("a request was answered slowly");
  });
}

/** Answers what the server could make no request of, in a word. Anything else that comes here is an error of ours. */
export function expressErrorHandler(
  err: Error & { status?: number; code?: string },
  { method }: IncomingMessage,
  response: ServerResponse,
  _next: unknown,
) {
  // What was being sent broke off; whoever was sending it has said why.
  if (response.headersSent) return void response.destroy();
  const isMethod = method === "TRACE";
  const status = err.status ?? (isMethod ? 405 : err.code === "ERR_INVALID_URL" ? 400 : 500);
  if (status >= 500) log.error({ err }, "a request failed");
  response.writeHead(status, { "content-type": "text/plain" }).end(`${STATUS_CODES[status]}\n`);
}

/** Calls `work` when a reply's head is about to be written, by whomever. */
export function onResponseHead(response: ServerResponse, work: () => void) {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    if (!response.headersSent) work();
    return writeHead(...given);
  };
}

/** The log of requests is not to hold what was searched for, the tokens of invitations or documents' codes. */
function hideInLog(request: IncomingMessage & { originalUrl?: string }, route: string | undefined) {
  const [path, query] = (request.originalUrl ?? request.url!).split(/\?(.*)/s);
  const shown = route?.includes(":code") ? route : path!.replace(/(\/v|\/verify)\/+[^/]+/i, "$1/…");
  request.originalUrl = query ? `${shown}?${query.replace(/=[^&]*/g, "=…")}` : shown;
}

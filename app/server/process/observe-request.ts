import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { metrics } from "#lib/metrics.ts";
import { secondsInMs } from "#lib/units.ts";
import { type RequestContext, enterRequest, withRequest } from "../request/request-context.ts";
import { log } from "./log.ts";
import { fileHeaders, routeHeaders } from "../request/security.ts";

const slowMs = secondsInMs(5);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

type LoggedRequest = IncomingMessage & { originalUrl?: string };

/** Adds headers, metrics and logs to every request, also for static files and what Node refuses by itself. */
export function observeRequest(request: LoggedRequest, response: ServerResponse) {
  const current: RequestContext = {};
  enterRequest(current);
  metrics.requestsInFlight.inc();
  const began = performance.now();
  let [read, answered] = [began, 0];
  request.once("end", () => (read = performance.now()));
  onResponseHead(response, () => {
    answered = performance.now();
    for (const [name, value] of current.route ? routeHeaders : fileHeaders) {
      if (!current.route || !response.hasHeader(name)) response.setHeader(name, value);
    }
  });
  // React Router's access log writes `originalUrl`, and parts of an address may be secrets, however they are spelt.
  current.changed = () => (request.originalUrl = current.route ?? "(refused)");
  // It writes on "finish", and for broken connections on "close".
  for (const event of ["finish", "close"]) response.once(event, current.changed);
  response.once("close", () => {
    const ended = performance.now();
    const isComplete = response.writableFinished;
    const status = isComplete ? String(response.statusCode) : "aborted";
    const method = methods.includes(request.method!) ? request.method! : "other";
    const route = current.route ?? (response.statusCode < 400 ? "(file)" : "(refused)");
    metrics.requestsInFlight.dec();
    metrics.requests.inc({ route, method, status });
    metrics.requestSeconds.observe({ route, method }, (ended - began) / secondsInMs(1));
    // Without the time that the client's connection takes.
    const milliseconds = Math.round((answered || ended) - Math.min(read, answered || ended));
    const warn = (message: string) => withRequest(current, () => log.warn({ status, milliseconds }, message));
    if (isComplete && isUnexplainedError(response, current)) warn("a request was answered with an error");
    else if (request.complete && milliseconds > slowMs) warn("a request was answered slowly");
  });
}

function isUnexplainedError(response: ServerResponse, { route, isLogged }: RequestContext) {
  const { statusCode } = response;
  // Visitors can cause many of these; metrics count them.
  const isOverload = statusCode === 503 && response.hasHeader("retry-after");
  // 501: another provider lacks the call, as the page says.
  return route && statusCode >= 500 && statusCode !== 501 && !isLogged && !isOverload;
}

export function expressErrorHandler(
  err: Error & { status?: number; code?: string },
  { method }: IncomingMessage,
  response: ServerResponse,
  _next: unknown,
) {
  // The error was logged where the response was being written.
  if (response.headersSent) return void response.destroy();
  const isMethod = method === "TRACE";
  const status = err.status ?? (isMethod ? 405 : err.code === "ERR_INVALID_URL" ? 400 : 500);
  if (status >= 500) log.error({ err }, "a request failed");
  response.writeHead(status, { "content-type": "text/plain" }).end(`${STATUS_CODES[status]}\n`);
}

export const readsOnly = ({ method }: Pick<IncomingMessage, "method">): boolean =>
  method === "GET" || method === "HEAD";

/** Calls `work` once a request is here with its body, which a slow or malicious sender takes minutes for. */
export function onceHere(request: IncomingMessage, work: () => void) {
  if (readsOnly(request)) work();
  else request.once("end", work);
}

export function onResponseHead(response: ServerResponse, work: () => void) {
  const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => ServerResponse;
  response.writeHead = (...parameters: unknown[]) => {
    if (!response.headersSent) work();
    return writeHead(...parameters);
  };
}

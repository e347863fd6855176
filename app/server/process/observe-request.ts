import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { metrics } from "#lib/metrics.ts";
import { secondsInMs } from "#lib/units.ts";
import { type RequestContext, enterRequest, withRequest } from "../request/request-context.ts";
import { log } from "./log.ts";
import { fileHeaders } from "../request/security.ts";
import { makeReadable } from "../request/target.ts";

const slowMs = secondsInMs(5);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What Node publishes on its channel `http.server.request.start`. `originalUrl` is Express's. */
export type RequestStart = {
  request: IncomingMessage & { originalUrl?: string };
  response: ServerResponse;
  server: Server;
};

/** Stores what a web `Request` does not carry, and counts and logs every request, including files and those that Node rejects itself. */
export function observeRequest({ request, response }: RequestStart) {
  const method = methods.includes(request.method!) ? request.method! : "other";
  makeReadable(request);
  const arrival = readsOnly(request) ? undefined : new Promise<void>((resolve) => request.once("end", resolve));
  const current: RequestContext = { peer: request.socket.remoteAddress, reply: response, arrival };
  enterRequest(current);
  response.setHeaders(fileHeaders);
  metrics.requestsInFlight.inc();
  const began = performance.now();
  let arrivedAt = began;
  request.once("end", () => (arrivedAt = performance.now()));
  // The access log writes `originalUrl` on either event, and parts of an address may be secrets, however they are spelt.
  current.changed = () => (request.originalUrl = current.route ?? "(refused)");
  for (const event of ["finish", "close"]) response.once(event, current.changed);
  response.once("close", () => {
    const ended = performance.now();
    const isComplete = response.writableFinished;
    const status = isComplete ? String(response.statusCode) : "aborted";
    const route = current.route ?? (response.statusCode < 400 ? "(file)" : "(refused)");
    metrics.requestsInFlight.dec();
    metrics.requests.inc({ route, method, status });
    metrics.requestSeconds.observe({ route, method }, (ended - began) / secondsInMs(1));
    // Without the time that the client's connection takes.
    const repliedAt = current.repliedAt ?? ended;
    const milliseconds = Math.round(repliedAt - Math.min(arrivedAt, repliedAt));
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

export const readsOnly = ({ method }: { method?: string | undefined }): boolean =>
  method === "GET" || method === "HEAD";

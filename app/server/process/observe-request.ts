import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { metrics } from "#lib/metrics.ts";
import { startRequestSpan } from "#lib/tracing.ts";
import { secondsInMs } from "#lib/units.ts";
import { type RequestContext, enterRequest, withRequest } from "../request/request-context.ts";
import { log, writeLine } from "./log.ts";
import { requestIdOf } from "../request/request-id.ts";
import { fileHeaders } from "../request/security.ts";
import { makeReadable } from "../request/target.ts";

const slowMs = secondsInMs(5);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What Node publishes on its channel `http.server.request.start`. */
export type RequestStart = {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
};

/** Stores what a web `Request` does not carry, and counts and logs every request, including files and those that Node rejects itself. */
export function observeRequest({ request, response }: RequestStart) {
  const method = methods.includes(request.method!) ? request.method! : "other";
  makeReadable(request);
  const arrival = readsOnly(request) ? undefined : new Promise<void>((resolve) => request.once("end", resolve));
  const requestId = requestIdOf(request.headers["x-request-id"]);
  const span = startRequestSpan(request.headers);
  const current: RequestContext = { peer: request.socket.remoteAddress, reply: response, arrival, requestId, span };
  enterRequest(current);
  response.setHeaders(fileHeaders);
  response.setHeader("x-request-id", requestId);
  metrics.requestsInFlight.inc();
  const began = performance.now();
  let arrivedAt = began;
  request.once("end", () => (arrivedAt = performance.now()));
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
    if (route !== "(file)" || !isComplete) {
      const bytes = Number(response.getHeader("content-length") ?? NaN);
      const outcome = isComplete ? { status: response.statusCode, ...(bytes >= 0 && { bytes }) } : { aborted: true };
      const { userId } = current;
      const duration = Math.round(ended - began);
      // Routes, as parts of an address may be secrets, however they are spelt.
      writeLine({ method, route, ...outcome, milliseconds: duration, requestId, userId, traceId: span?.traceId });
    }
    const attributes = { "http.request.method": method, "http.route": route, "sealdesk.request_id": requestId };
    span?.end({ name: `${method} ${route}`, status: response.statusCode, attributes });
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

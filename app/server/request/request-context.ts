import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { MiddlewareFunction } from "react-router";
import type { Fields } from "#lib/intake/fields.ts";
import type { Cause } from "#lib/storage/job-table.ts";
import { type RequestSpan, traceHeaders } from "#lib/tracing.ts";
import { requestIdOf } from "./request-id.ts";

export type RequestContext = {
  /** The address at the other end of the connection: the client's or a proxy's. */
  peer?: string | undefined;
  reply?: ServerResponse;
  /** Resolves once the request has arrived with its body; undefined if it has none. */
  arrival?: Promise<void> | undefined;
  repliedAt?: number;
  requestId?: string | undefined;
  span?: RequestSpan | undefined;
  /** Of work in the background, with the id of the request from which it follows. */
  job?: string;
  userId?: number;
  /** The route's pattern, as `/documents/:id`. */
  route?: string;
  /** Called when it begins to wait without using the processor, so that others may be admitted. */
  waits?(): void;
  isLogged?: boolean;
  /** Whether it shows an interrupted form (`sessions/restore.ts`). */
  isRestoring?: boolean;
  form?: Fields;
  needsProof?: boolean;
};

const requests = new AsyncLocalStorage<RequestContext>();

/** Also of a job. */
export const requestContext = () => requests.getStore();

export const withRequest = <T>(current: RequestContext, work: () => T) => requests.run(current, work);

export const enterRequest = (current: RequestContext) => requests.enterWith(current);

export const isRestoring = () => requestContext()?.isRestoring === true;

export function noteUser(userId: number) {
  const current = requestContext();
  if (current) current.userId = userId;
}

export function noteForm(form: Fields): Fields {
  const current = requestContext();
  if (current) current.form = form;
  return form;
}

export function noteNeededProof() {
  const current = requestContext();
  if (current) current.needsProof = true;
}

export const noteWait = () => requestContext()?.waits?.();

/** For calls of `/api`, which share one of the router's routes. */
export function noteRoute(route: string) {
  const current = requestContext();
  if (current) current.route = route;
}

/** The request from which a job follows that is nudged now. */
export function currentCause(): Cause | undefined {
  const requestId = requestContext()?.requestId;
  return requestId === undefined ? undefined : { requestId, traceparent: traceHeaders().traceparent };
}

/** In the development server the context begins here. */
export const trackRequest: MiddlewareFunction<Response> = ({ request, pattern }, next) => {
  const current = requestContext() ?? {};
  current.requestId ??= requestIdOf(request.headers.get("x-request-id"));
  current.route = pattern === "*" ? "(unknown)" : `/${pattern.replace(/^\//, "")}`;
  const answer = async () => {
    const response = await next();
    current.repliedAt = performance.now();
    return response;
  };
  return withRequest(current, () => (current.span ? current.span.run(answer) : answer()));
};

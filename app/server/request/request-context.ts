import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { MiddlewareFunction } from "react-router";
import type { Fields } from "#lib/intake/fields.ts";
import { getRequestId } from "./request-id.ts";

export type RequestContext = {
  /** The address at the other end of the connection: the client's or a proxy's. */
  peer?: string | undefined;
  reply?: ServerResponse;
  /** Resolves once the request has arrived with its body; undefined if it has none. */
  arrival?: Promise<void> | undefined;
  repliedAt?: number;
  requestId?: string;
  userId?: number;
  /** The route's pattern, as `/documents/:id`. */
  route?: string;
  changed?(): void;
  /** Called when it begins to wait without using the processor, so that others may be admitted. */
  waits?(): void;
  isLogged?: boolean;
  /** Whether it shows an interrupted form (`sessions/restore.ts`). */
  isRestoring?: boolean;
  form?: Fields;
  needsProof?: boolean;
};

const requests = new AsyncLocalStorage<RequestContext>();

/** Undefined in background work. */
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
  if (!current) return;
  current.route = route;
  current.changed?.();
}

/** In the development server the context begins here. */
export const trackRequest: MiddlewareFunction<Response> = ({ context, pattern }, next) => {
  const current = requestContext() ?? {};
  current.requestId = getRequestId(context);
  current.route = pattern === "*" ? "(unknown)" : `/${pattern.replace(/^\//, "")}`;
  current.changed?.();
  return withRequest(current, async () => {
    const response = await next();
    current.repliedAt = performance.now();
    return response;
  });
};

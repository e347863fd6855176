import { AsyncLocalStorage } from "node:async_hooks";
import type { MiddlewareFunction } from "react-router";
import { getRequestId } from "./request-id.ts";

/** The current request, for logs and metrics. */
export type RequestContext = {
  requestId?: string;
  /** The provider's id of the user whose token it carries. */
  userId?: number;
  /** The route's pattern, as `/documents/:id`. */
  route?: string;
  /** Called when `route` is known. */
  changed?(): void;
  /** Called when it begins to wait without using the processor, so that others may be admitted. */
  waits?(): void;
  /** Whether a warning or error was logged. */
  isLogged?: boolean;
};

const requests = new AsyncLocalStorage<RequestContext>();

/** Undefined in background work. */
export const requestContext = () => requests.getStore();

export const withRequest = <T>(about: RequestContext, work: () => T) => requests.run(about, work);

/** Sets the context for the rest of the current execution. */
export const enterRequest = (about: RequestContext) => requests.enterWith(about);

export function noteUser(userId: number) {
  const about = requestContext();
  if (about) about.userId = userId;
}

export const noteWait = () => requestContext()?.waits?.();

/** For calls of `/api`, which share one of the router's routes. */
export function noteRoute(route: string) {
  const about = requestContext();
  if (!about) return;
  about.route = route;
  about.changed?.();
}

/** Adds the request's id and route. In the development server the context begins here. */
export const trackRequest: MiddlewareFunction<Response> = ({ context, pattern }, next) => {
  const about = requestContext() ?? {};
  about.requestId = getRequestId(context);
  about.route = pattern === "*" ? "(unknown)" : `/${pattern.replace(/^\//, "")}`;
  about.changed?.();
  return withRequest(about, next);
};

import { AsyncLocalStorage } from "node:async_hooks";
import type { MiddlewareFunction } from "react-router";
import { getRequestId } from "./request-id.ts";

/** What is known of the request that is being answered, for the log and the figures. */
export type RequestContext = {
  requestId?: string;
  /** Who is signed in, or whose token it bears: the provider's id. */
  userId?: number;
  /** The pattern of its address, as `/documents/:id`. */
  route?: string;
  /** Called whenever more of this is known. */
  changed?(): void;
  /** Called when it waits, for the delay of sign-ins: others may be admitted meanwhile (`admission.ts`). */
  waits?(): void;
  /** Whether the log has a warning or more about it. */
  isLogged?: boolean;
};

const requests = new AsyncLocalStorage<RequestContext>();

/** The request in whose answering this is called; nothing in work of our own. */
export const requestContext = () => requests.getStore();

/** Does something in the name of a request. */
export const withRequest = <T>(about: RequestContext, work: () => T) => requests.run(about, work);

/** Has everything that this call leads to, but waits for nothing here, belong to a request. */
export const enterRequest = (about: RequestContext) => requests.enterWith(about);

/** Notes who asks, once that is known. */
export function noteUser(userId: number) {
  const about = requestContext();
  if (about) about.userId = userId;
}

/** Notes that a request waits for something else than the processor. */
export const noteWait = () => requestContext()?.waits?.();

/** Notes which call of `/api` is asked for. */
export function noteRoute(route: string) {
  const about = requestContext();
  if (!about) return;
  about.route = route;
  about.changed?.();
}

/** Notes what the router knows. The development server brings no request to note it on, so that one begins here. */
export const trackRequest: MiddlewareFunction<Response> = ({ context, pattern }, next) => {
  const about = requestContext() ?? {};
  about.requestId = getRequestId(context);
  about.route = pattern === "*" ? "(unknown)" : `/${pattern.replace(/^\//, "")}`;
  about.changed?.();
  return withRequest(about, next);
};

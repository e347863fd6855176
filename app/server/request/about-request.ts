import { AsyncLocalStorage } from "node:async_hooks";
import type { MiddlewareFunction } from "react-router";
import { getRequestId } from "./request-id.ts";

/** What is known of the request that is being answered, for the log and the figures. */
export type AboutRequest = {
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

const requests = new AsyncLocalStorage<AboutRequest>();

/** The request in whose answering this is called; nothing in work of our own. */
export const aboutRequest = () => requests.getStore();

/** Does something in the name of a request. */
export const inRequest = <T>(about: AboutRequest, work: () => T) => requests.run(about, work);

/** Has everything that this call leads to, but waits for nothing here, belong to a request. */
export const enterRequest = (about: AboutRequest) => requests.enterWith(about);

/** Notes who asks, once that is known. */
export function noteUser(userId: number) {
  const about = aboutRequest();
  if (about) about.userId = userId;
}

/** Notes that a request waits for something else than the processor. */
export const noteWait = () => aboutRequest()?.waits?.();

/** Notes which call of `/api` is asked for. */
export function noteRoute(route: string) {
  const about = aboutRequest();
  if (!about) return;
  about.route = route;
  about.changed?.();
}

/** Notes what the router knows. The development server brings no request to note it on, so that one begins here. */
export const noteRequest: MiddlewareFunction<Response> = ({ context, pattern }, next) => {
  const about = aboutRequest() ?? {};
  about.requestId = getRequestId(context);
  about.route = pattern === "*" ? "(unknown)" : `/${pattern.replace(/^\//, "")}`;
  about.changed?.();
  return inRequest(about, next);
};

import type { HonoRequest } from "hono";
import type { Actor } from "../access.ts";
import type { Call } from "../contract/call.ts";
import { uncounted } from "../contract/fields.ts";
import type { Browser } from "../sessions/browsers.ts";
import type { JsonReply } from "./replies.ts";

/** Cached reads that the calls of one page share. */
export type PageCalls = {
  /** Users by token: three lookups took a tenth of a list. */
  actors: Map<string, Actor | undefined>;
};

/** The web app's facts about a request's client, and callbacks about the call. */
export type ClientContext = {
  clientAddress: string;
  /** The company on whose own host the page is, which shows no other's documents. */
  hostCompany?: number | undefined;
  /** The browser of a page's request; API clients have none. */
  browser?: Browser | undefined;
  /** Whether an API client calls. Pages may also try reads that the user lacks the right to. */
  isApi?: boolean;
  /** Called with the call's route, as `/api/documents/:id`. */
  onRoute?(route: string): void;
  /** Called with the signed-in user's id. */
  onUser?(id: number): void;
  /** Called when the request waits without using resources. */
  onWait?(): void;
  /** For the calls of one page that changes nothing. */
  page?: PageCalls;
};

/** A call as HTTP or a page of this process asks for it. What only few calls need is made when it is read. */
export type CallRequest = {
  params: Record<string, string>;
  query: Record<string, string>;
  token: string | undefined;
  isUncounted: boolean;
  signal: AbortSignal;
  readonly url: string;
  readonly request: Request;
};

/**
 * Makes a call without HTTP, which takes a third of a page's time: one without a body. The reply's content is not yet JSON; what a
 * handler made a response of, refusals too, is one.
 */
export type CallInProcess = (call: Call, request: CallRequest, client: ClientContext) => Promise<JsonReply | Response>;

/** The token of a request’s `Authorization` header. */
export const bearerTokenOf = ({ headers }: Request): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

/** A call that a request asks for. */
export const readRequest = (req: HonoRequest): CallRequest => ({
  params: req.param() as Record<string, string>,
  query: req.query(),
  token: bearerTokenOf(req.raw),
  isUncounted: req.raw.headers.get("prefer") === uncounted,
  signal: req.raw.signal,
  url: req.url,
  request: req.raw,
});

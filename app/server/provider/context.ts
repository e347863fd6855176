import { createContext, type MiddlewareFunction } from "react-router";
import { config } from "#lib/config.ts";
import { traceHeaders } from "#lib/tracing.ts";
import type { ClientContext } from "#provider/http/call-request.ts";
import { noteUser, noteWait, requestContext } from "../request/request-context.ts";
import type { Context } from "../request/router-context.ts";
import { getBrowser } from "../sessions/browser.ts";
import { companyHostOf } from "../request/company-host.ts";
import { clientAddress } from "../request/client-address.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { endSession, getSession } from "../sessions/session.ts";
import { openResources, resources } from "../process/resources.ts";
import type { CallContext } from "./call-context.ts";
import { createClient } from "./client.ts";
import type { ProviderClient } from "./client-types.ts";

const clientContext = createContext<ProviderClient>();
const callContexts = createContext<CallContext>();

function connectToProvider(
  request: Request,
  context: Context,
): Pick<CallContext, "send" | "callInProcess" | "origin" | "signal"> {
  const { embedded } = resources();
  const client: ClientContext = {
    clientAddress: clientAddress(request),
    hostCompany: companyHostOf(context)?.companyId,
    browser: getBrowser(context),
    onWait: noteWait,
    onUser: noteUser,
    ...(request.method === "GET" && { page: { actors: new Map() } }),
  };
  return {
    // What changes something is done to its end: its user may press again, and gets the answer of the first press.
    signal: request.method === "GET" ? request.signal : new AbortController().signal,
    send: (sent) => (embedded ? embedded.fetch(sent, client) : fetch(withRequestHeaders(sent, request.headers))),
    callInProcess: embedded && ((call, asked) => embedded.callInProcess(call, asked, client)),
    origin: config().PROVIDER_URL ?? "http://embedded",
  };
}

/** Another provider's logs and traces are joined to ours by the request's id and by the span, or the client's own one. */
function withRequestHeaders(sent: Request, from: Headers) {
  const ofClient = Object.fromEntries(["traceparent", "tracestate"].map((name) => [name, from.get(name)]));
  const headers = { "x-request-id": requestContext()?.requestId, ...ofClient, ...traceHeaders() };
  for (const [name, value] of Object.entries(headers)) if (value) sent.headers.set(name, value);
  return sent;
}

export const providerClient: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  // In production they are open before the server listens.
  await openResources();
  const session = getSession(context);
  const callContext: CallContext = {
    ...connectToProvider(request, context),
    token: session.get("token"),
    endSession: () => endSession(session),
    page: returnPath(url),
  };
  context.set(clientContext, createClient(callContext));
  context.set(callContexts, callContext);
};

export const getProvider = (context: Context) => context.get(clientContext);

/** For work that other requests share, which goes on when this request's browser disconnects. */
export const providerForAll = (context: Context) =>
  createClient({ ...context.get(callContexts), signal: new AbortController().signal });

/** Its answers end no session. */
export const providerForOffers = (context: Context) =>
  createClient({ ...context.get(callContexts), signal: new AbortController().signal, endSession: () => {} });

/** For tokens other than the session's, such as that of an invitation. */
export const providerWithToken = (
  { request, context }: { request: Request; context: Context },
  token = "",
): ProviderClient => {
  // A header takes no other characters.
  const bearer = /^[!-~]+$/.test(token) ? token : undefined;
  return createClient({ ...connectToProvider(request, context), token: bearer, endSession: () => {}, page: "/" });
};

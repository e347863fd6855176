import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { config } from "#config";
import type { ClientContext } from "#provider/http/endpoint.ts";
import { noteUser, noteWait } from "../request/request-context.ts";
import { getBrowser } from "../sessions/browser.ts";
import { clientAddress } from "../request/client-address.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { endSession, getSession } from "../sessions/session.ts";
import { openResources, resources } from "../process/resources.ts";
import type { CallContext } from "./call-context.ts";
import { createClient } from "./client.ts";
import type { ProviderClient } from "./client-types.ts";

const clientContext = createContext<ProviderClient>();
const callContexts = createContext<CallContext>();

function wayToProvider(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Pick<CallContext, "send" | "origin" | "signal"> {
  const { embedded } = resources();
  const client: ClientContext = {
    clientAddress: clientAddress(request),
    browser: getBrowser(context),
    onWait: noteWait,
    onUser: noteUser,
    ...(request.method === "GET" && { actorCache: new Map() }),
  };
  return {
    signal: request.signal,
    send: (sent) => (embedded ? embedded.fetch(sent, client) : fetch(sent)),
    origin: config().PROVIDER_URL ?? "http://embedded",
  };
}

export const providerClient: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  // In production they are open before the server listens.
  await openResources();
  const session = getSession(context);
  const callContext: CallContext = {
    ...wayToProvider(request, context),
    token: session.get("token"),
    endSession: () => endSession(session),
    page: returnPath(url),
  };
  context.set(clientContext, createClient(callContext));
  context.set(callContexts, callContext);
};

export const getProvider = (context: Readonly<RouterContextProvider>) => context.get(clientContext);

/** For work that other requests share, which goes on when this request's browser disconnects. */
export const providerForAll = (context: Readonly<RouterContextProvider>) =>
  createClient({ ...context.get(callContexts), signal: new AbortController().signal });

/** Its answers end no session. */
export const providerForOffers = (context: Readonly<RouterContextProvider>) =>
  createClient({ ...context.get(callContexts), signal: new AbortController().signal, endSession: () => {} });

/** For tokens other than the session's, such as that of an invitation. */
export const providerWithToken = (
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  token: string | undefined,
): ProviderClient => createClient({ ...wayToProvider(request, context), token, endSession: () => {}, page: "/" });

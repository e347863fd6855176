import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { config } from "#config";
import { noteUser, noteWait } from "../request/about-request.ts";
import { getBrowser } from "../sessions/browser.ts";
import { clientAddress } from "../request/client-address.ts";
import { pageOf } from "../request/own-path.ts";
import { endSession, getSession } from "../sessions/session.ts";
import { opened } from "../process/start.ts";
import type { CallContext } from "./call-context.ts";
import { createClient } from "./client.ts";
import type { ProviderClient } from "./client-types.ts";

const clientContext = createContext<ProviderClient>();
const callContexts = createContext<CallContext>();

/** How calls reach the provider: within this process, or over HTTP. */
async function wayToProvider(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Pick<CallContext, "send" | "origin" | "signal">> {
  const { embedded } = await opened();
  const from = {
    clientAddress: clientAddress(request),
    browser: getBrowser(context),
    noteWait,
    noteUser,
    ...(request.method === "GET" && { known: new Map() }),
  };
  return {
    signal: request.signal,
    send: (sent) => (embedded ? embedded.fetch(sent, from) : fetch(sent)),
    origin: config().PROVIDER_URL ?? "http://embedded",
  };
}

/** Gives a request its provider client, with the session's token. */
export const providerClient: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  const session = getSession(context);
  const callContext: CallContext = {
    ...(await wayToProvider(request, context)),
    token: session.get("token"),
    endSession: () => endSession(session),
    page: pageOf(url),
  };
  context.set(clientContext, createClient(callContext));
  context.set(callContexts, callContext);
};

/** The provider's client, with the session's token. */
export const getProvider = (context: Readonly<RouterContextProvider>) => context.get(clientContext);

/** The same for work that other requests share: it goes on when this request's browser disconnects. */
export const providerForAll = (context: Readonly<RouterContextProvider>) =>
  createClient({ ...context.get(callContexts), signal: new AbortController().signal });

/** The provider's client with another token, as from an invitation or reset link. */
export const providerWithToken = async (
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  token: string | undefined,
): Promise<ProviderClient> =>
  createClient({ ...(await wayToProvider(request, context)), token, endSession: () => {}, page: "/" });

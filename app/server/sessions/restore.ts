import { type MiddlewareFunction, RouterContextProvider } from "react-router";
import { findInterrupted, isWizardStep, removeInterrupted } from "../drafts/interrupted.ts";
import { isRestoring, requestContext } from "../request/request-context.ts";
import { returnPath } from "../request/safe-redirect.ts";
import { readSession } from "./session.ts";

type Handler = (request: Request, context: RouterContextProvider) => Promise<Response>;

let handler: Handler | undefined;

/** The development server has none. */
export const restoreWith = (handle: Handler) => void (handler = handle);

/** Renders a page as if the form that was sent after its session had ended were refused: nothing is saved. */
export const restoreInterrupted: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const about = requestContext();
  const isDocument = request.method === "GET" && !new URL(request.url).pathname.endsWith(".data");
  if (!handler || !about || !isDocument || isRestoring() || isWizardStep(url.pathname)) return next();
  const session = await readSession(request);
  const id = session.get("token") && session.get("interrupted");
  const entries = id && (await findInterrupted(id, (path) => path === returnPath(url)));
  if (!id || !entries) return next();
  about.isRestoring = true;
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/x-www-form-urlencoded");
  // The form is the user's own, wherever the link to its page was.
  headers.delete("origin");
  headers.delete("sec-fetch-site");
  const { signal } = request;
  const replay = new Request(request.url, { method: "POST", headers, body: `${entries}`, signal });
  const response = await handler(replay, new RouterContextProvider());
  // What fails now can be opened again.
  if (response.status < 500) await removeInterrupted(id);
  return response;
};

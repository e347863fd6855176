import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable } from "@react-router/node";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from "react-router";
import { log } from "./server/log.ts";
import { getRequestId } from "./server/request-id.ts";
import { getNonce } from "./server/security.ts";

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  headers.set("content-type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const nonce = getNonce(context);
  return new Promise<Response>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<ServerRouter context={routerContext} url={request.url} nonce={nonce} />, {
      nonce,
      // No page waits for a part of itself: when the shell is ready, all of it is.
      onShellReady() {
        const body = new PassThrough();
        resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        pipe(body);
      },
      onShellError: reject,
      onError: (err) => log.error({ err }, "a page failed to render"),
    });
  });
}

/** Errors that no page expected. What a browser gave up on is none. */
export const handleError: HandleErrorFunction = (err, { request, context }) => {
  if (request.signal.aborted) return;
  log.error(
    { err, requestId: getRequestId(context as RouterContextProvider), path: new URL(request.url).pathname },
    "a request failed",
  );
};

import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { NonceContext } from "./components/frame/nonce.ts";
import { rowsOutsideHydration } from "./first-paint/omit-rows.ts";
import { withFirstPaint } from "./first-paint/page.ts";
import { RowsMarkupContext } from "./first-paint/rows-markup.ts";
import { isFirstPaintOn } from "./first-paint/switch.ts";
import type { loader as frameLoader } from "./routes/signed-in/layout.tsx";
import { log } from "./server/process/log.ts";
import { renderOnce } from "./server/process/rendered-pages.ts";
import { sliceOf } from "./server/process/slice.ts";
import { getNonce } from "./server/request/security.ts";

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  // Methods unknown to the router skip all middleware.
  if (!methods.includes(request.method)) return refuseMethod();
  headers.set("content-type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const nonce = getNonce(context);
  const render = async () => {
    await sliceOf(context).endIfLong();
    return renderPage(request, routerContext, nonce);
  };
  const servedAt = servedAtOf(status, routerContext);
  const rendered = servedAt
    ? await renderOnce(await shownBy(request, routerContext, servedAt), { nonce, servedAt }, render)
    : await render();
  const page = await withFirstPaint(rendered, { request, headers, nonce });
  return new Response(page, { status, headers });
}

const frame = "routes/signed-in/layout";

type FrameData = Awaited<ReturnType<typeof frameLoader>>;

/**
 * When a page was served that is rendered once for the same data (`handle.isRenderedOnce`), as its frame says; undefined for
 * other pages, and for what is seen once: replies to forms, notices and errors.
 */
function servedAtOf(status: number, { staticHandlerContext, routeModules }: EntryContext) {
  const { errors, actionData, loaderData, matches } = staticHandlerContext;
  const handle = routeModules[matches.at(-1)?.route.id ?? ""]?.handle as { isRenderedOnce?: boolean } | undefined;
  const { servedAt, notice, unsaved } = (loaderData[frame] ?? {}) as Partial<FrameData>;
  const isSeenOnce = status !== 200 || errors || actionData || notice || unsaved;
  return handle?.isRenderedOnce && !isSeenOnce ? servedAt?.toString() : undefined;
}

/** All that a page shows: its address, the data that the browser gets, without the moment, and rows that it gets as markup alone. */
async function shownBy({ url }: Request, routerContext: EntryContext, servedAt: string): Promise<string> {
  const data = await text(routerContext.serverHandoffStream!);
  routerContext.serverHandoffStream = new Blob([data]).stream();
  const rows = Object.values(routerContext.staticHandlerContext.loaderData).flatMap(rowsOutsideHydration);
  return [url, data.replaceAll(servedAt, ""), JSON.stringify(rows)].join("\n");
}

function renderPage(request: Request, routerContext: EntryContext, nonce: string): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const page = (
      <NonceContext value={nonce}>
        <RowsMarkupContext value={isFirstPaintOn ? renderToString : undefined}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </RowsMarkupContext>
      </NonceContext>
    );
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      // No page suspends. Sent in one piece it takes a sixth less time than in many.
      onAllReady() {
        const chunks: Uint8Array[] = [];
        const write = (chunk: Uint8Array, _: string, done: () => void) => {
          chunks.push(chunk);
          done();
        };
        pipe(new Writable({ write }).once("finish", () => resolve(Buffer.concat(chunks))));
      },
      onShellError: reject,
      onError: (err) => log.error({ err }, "a page failed to render"),
    });
  });
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

const refuseMethod = () =>
  new Response("Method not allowed\n", {
    status: 405,
    headers: { "content-type": "text/plain", allow: methods.join(", ") },
  });

/** Logs unexpected errors, and neither aborted requests nor those that the router refuses. */
export const handleError: HandleErrorFunction = (err, { request }) => {
  if (request.signal.aborted || (isRouteErrorResponse(err) && err.status < 500)) return;
  log.error({ err }, "a request failed");
};

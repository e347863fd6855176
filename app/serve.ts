import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createRequestHandler } from "react-router";
import * as build from "virtual:react-router/server-build";
import { config, environment } from "#lib/config.ts";
import { secondsInMs } from "#lib/units.ts";
import { answerKept } from "./routes/verify/kept-page.server.ts";
import { hasUser } from "./server/sessions/session.ts";
import { decodable } from "./server/request/target.ts";
import { restoreWith } from "./server/sessions/restore.ts";
import { onlyOurHost } from "./server/request/host.ts";
import { isClientFile } from "./server/process/client-files.ts";
import { log } from "./server/process/log.ts";
import { loadShedding } from "./server/process/load-shedding.ts";
import { closeResources, openResources, resources } from "./server/process/resources.ts";
import { trimHeap } from "./server/process/trim-heap.ts";
import { expressErrorHandler, observeRequest } from "./server/process/observe-request.ts";

/**
 * The module that `react-router-serve` loads before it creates its server: the router's build, and hooks that add to that
 * server (`docs/decisions/react-router-serve.md`).
 */
export * from "virtual:react-router/server-build";

const { HOST, PORT, TRUSTED_PROXIES } = config();

// Read by react-router-serve, which otherwise listens on all networks.
environment.HOST = HOST;

/** Turns off the router's origin check, which does not know PUBLIC_URL; `request/security.ts` has ours. */
export const allowedActionOrigins = ["**"];

restoreWith(createRequestHandler({ ...build, allowedActionOrigins }));

/** Longer than proxies keep an idle connection, up to two minutes, so that none sends a request into one that is closing. */
const proxyIdleMs = secondsInMs(125);

let server: Server | undefined;
let isShuttingDown = false;

subscribe("tracing:net.server.listen:asyncStart", (message) => {
  const { server: listening, options } = message as { server: Server; options: { port?: number } };
  if (options.port === PORT) {
    server = listening;
    // Strangers' own connections keep Node's five seconds: there may be thousands.
    if (TRUSTED_PROXIES > 0) listening.keepAliveTimeout = proxyIdleMs;
    guard(listening);
  } else if (options.port !== undefined && environment.PORT === undefined) {
    // Without PORT, react-router-serve takes another port when 3000 is in use.
    console.error(`Port ${PORT} is in use. Choose another with PORT=…`);
    process.exit(1);
  }
});

/** Express takes the folder that a handler serves off `url`. */
type ExpressRequest = IncomingMessage & { originalUrl: string };
type Handler = (request: ExpressRequest, response: ServerResponse, next: () => void) => void;
type Express = RequestListener & {
  use(handler: typeof expressErrorHandler): void;
  _router: { stack: { name: string; handle: Handler }[] };
};

/** Puts host check, load shedding and kept pages in front of Express, and our error handler in place of its own. */
function guard(listening: Server) {
  const [express] = listening.listeners("request") as [Express];
  express.use(expressErrorHandler);
  const layers = express._router.stack.filter(({ name }) => name === "serveStatic");
  if (layers.length === 0) throw new Error("Express has no handlers of files where they are expected");
  for (const layer of layers) layer.handle = forFiles(layer.handle);
  listening.removeAllListeners("request").on("request", onlyOurHost(loadShedding(answerKept(express), hasUser)));
}

/** Looks for a file where there is one: to look for one at each page's address takes a tenth of a list's time. */
const forFiles =
  (serve: Handler): Handler =>
  (request, response, next) =>
    isClientFile(request.originalUrl) ? serve(request, response, next) : next();

// Also published for requests that Node refuses by itself.
subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage & { query?: object }; response: ServerResponse };
  // Connections that are kept alive would delay the shutdown.
  if (isShuttingDown) response.shouldKeepAlive = false;
  observeRequest(request, response);
  request.url = decodable(request.url);
  // Keeps Express from parsing the query into nested objects, which nothing reads.
  request.query = {};
  // Clients' addresses are counted from the right end (`request/client-address.ts`).
  const forwardedFor = request.headers["x-forwarded-for"];
  request.headers["x-forwarded-for"] = [forwardedFor, request.socket.remoteAddress].filter(Boolean).join(", ");
});

process.on("uncaughtException", (err) => {
  log.fatal({ err }, "uncaught exception, exiting");
  process.exit(1);
});
process.removeAllListeners("warning");
process.on("warning", (err) => log.warn({ err }, "Node warning"));

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, shutDown);

const drainTimeoutMs = secondsInMs(25);

/** Closes the resources once react-router-serve has closed the server, or after a timeout. Tables can be sent again. */
function shutDown() {
  isShuttingDown = true;
  void openResources().then(() => resources().pageFiles.stopTables());
  const exit = () =>
    closeResources().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, "shutdown failed");
        process.exit(1);
      },
    );
  setTimeout(exit, drainTimeoutMs).unref();
  // Those of requests that were still being answered would stay for seconds.
  setInterval(() => server?.closeIdleConnections(), 100).unref();
  if (server?.listening) server.once("close", exit);
  else void exit();
}

await openResources();
trimHeap();
// Last, so that the rest of the start has the processor to itself.
resources().pageFiles.keepOne();

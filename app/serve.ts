import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { config, environment } from "#config";
import { secondsInMs } from "#units";
import { onlyOurHost } from "./server/request/host.ts";
import { log } from "./server/process/log.ts";
import { loadShedding } from "./server/process/load-shedding.ts";
import { closeResources, openResources } from "./server/process/resources.ts";
import { trimHeap } from "./server/process/trim-heap.ts";
import { expressErrorHandler, observeRequest } from "./server/process/observe-request.ts";

/** What `react-router-serve` serves: the router's build, and what is known only at start. */
export * from "virtual:react-router/server-build";

const { HOST, PORT } = config();

// The server reads the host after this module, and without one would listen on every network.
environment.HOST = HOST;

/**
 * Any, for the router: it does not know the public origin, and answers what it takes for an attack with an error. Our own
 * guard, which does, looks at every request that changes something (`server/security.ts`).
 */
export const allowedActionOrigins = ["**"];

const drainMs = secondsInMs(25);
let server: Server | undefined;
let isEnding = false;

subscribe("tracing:net.server.listen:asyncStart", (message) => {
  const { server: listening, options } = message as { server: Server; options: { port?: number } };
  if (options.port === PORT) {
    server = listening;
    // What answers is Express, whose own last word is a stack on stderr.
    const [express] = server.listeners("request") as unknown as [
      RequestListener & { use(handler: typeof expressErrorHandler): void },
    ];
    express.use(expressErrorHandler);
    server.removeAllListeners("request").on("request", onlyOurHost(loadShedding(express)));
  } else if (options.port !== undefined && environment.PORT === undefined) {
    console.error(`Port ${PORT} is in use. Choose another with PORT=…`);
    process.exit(1);
  }
});

// The client's address is counted from the right end of this header (`server/client-address.ts`).
subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  // A connection that is kept alive would go on being served, and hold the end up.
  if (isEnding) response.shouldKeepAlive = false;
  observeRequest(request, response);
  // Keeps Express from parsing the query into nested objects, which nothing reads.
  (request as IncomingMessage & { query?: object }).query = {};
  const before = request.headers["x-forwarded-for"];
  request.headers["x-forwarded-for"] = [before, request.socket.remoteAddress].filter(Boolean).join(", ");
});

process.on("uncaughtException", (err) => {
  log.fatal({ err }, "Sealdesk ends: something failed where nobody expected it");
  process.exit(1);
});
process.removeAllListeners("warning");
process.on("warning", (err) => log.warn({ err }, "Node has something to say"));

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, shutDown);

/** The server stops listening by itself and ends what it is answering; then the database is closed. */
function shutDown() {
  isEnding = true;
  const end = () =>
    closeResources().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, "could not close everything");
        process.exit(1);
      },
    );
  setTimeout(end, drainMs).unref();
  if (server?.listening) server.once("close", end);
  else void end();
}

await openResources();
trimHeap();

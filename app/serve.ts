import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { config, environment } from "#config";
import { log } from "./server/log.ts";
import { shedding } from "./server/overload.ts";
import { close, opened } from "./server/start.ts";

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

const drainTime = 25_000;
let server: Server | undefined;
let isEnding = false;

subscribe("tracing:net.server.listen:asyncStart", (message) => {
  const { server: listening, options } = message as { server: Server; options: { port?: number } };
  if (options.port === PORT) {
    server = listening;
    const [handle] = server.listeners("request") as RequestListener[];
    server.removeAllListeners("request").on("request", shedding(handle!));
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
  const before = request.headers["x-forwarded-for"];
  request.headers["x-forwarded-for"] = [before, request.socket.remoteAddress].filter(Boolean).join(", ");
});

// The log of requests, which the server writes by itself, is not to hold the tokens of invitations or documents' codes.
subscribe("http.server.response.finish", (message) => {
  const { request } = message as { request: IncomingMessage & { originalUrl?: string } };
  request.originalUrl = request.originalUrl
    ?.replace(/\btoken=[^&]*/g, "token=…")
    .replace(/^(\/v|\/api\/verify)\/[^/?]+/, "$1/…");
});

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, shutDown);

/** The server stops listening by itself and ends what it is answering; then the database is closed. */
function shutDown() {
  isEnding = true;
  const end = () =>
    close().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, "could not close everything");
        process.exit(1);
      },
    );
  setTimeout(end, drainTime).unref();
  if (server?.listening) server.once("close", end);
  else void end();
}

await opened();

import { once } from "node:events";
import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { createServer } from "node:net";
import morgan from "morgan";
import { createRequestHandler } from "react-router";
import * as build from "virtual:react-router/server-build";
import { config, environment } from "#lib/config.ts";
import { secondsInMs } from "#lib/units.ts";
import { startRefusal } from "#lib/storage/start-refusal.ts";
import { restoreWith } from "./server/sessions/restore.ts";
import { log, logConsole, logStart, logUncaughtErrors } from "./server/process/log.ts";
import { leave } from "./server/process/readiness.ts";
import { reload } from "./server/process/reload.ts";
import { closeResources, openResources, resources } from "./server/process/resources.ts";
import { startTracing } from "./server/process/start-tracing.ts";
import { observeRequest, type RequestStart } from "./server/process/observe-request.ts";

/**
 * The module that `react-router-serve` loads before it creates its server: the router's build, and what is opened before the first
 * request and closed after the last (`docs/decisions/react-router-serve.md`).
 */
export * from "virtual:react-router/server-build";

const { HOST, PORT, TRUSTED_PROXIES } = config();

logStart("server");

// Read by react-router-serve, which otherwise listens on all networks.
environment.HOST = HOST;

/** Turns off the router's origin check, which does not know PUBLIC_URL; `request/security.ts` has ours. */
export const allowedActionOrigins = ["**"];

restoreWith(createRequestHandler({ ...build, allowedActionOrigins }));

/** Longer than proxies keep an idle connection, up to two minutes, so that none sends a request into one that is closing. */
const proxyIdleMs = secondsInMs(125);

let server: Server | undefined;
let isShuttingDown = false;

subscribe("http.server.request.start", (message) => {
  const start = message as RequestStart;
  server = start.server;
  // Strangers' own connections keep Node's five seconds: there may be thousands.
  if (TRUSTED_PROXIES > 0) server.keepAliveTimeout = proxyIdleMs;
  // Connections that are kept alive would delay the shutdown.
  if (isShuttingDown) start.response.shouldKeepAlive = false;
  observeRequest(start);
});

logConsole();
logUncaughtErrors();

// The command's own access log is plain text with addresses, which may be secrets; `observe-request.ts` writes ours.
morgan.format("tiny", () => undefined);

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, shutDown);

// Unheard it would end the process, also while that starts.
const opened = Promise.withResolvers<void>();
process.on("SIGHUP", () => void opened.promise.then(reloadAll));

function reloadAll() {
  const { embedded, worker } = resources();
  void reload("server", embedded?.changeKey);
  worker?.reload();
}

const drainTimeoutMs = secondsInMs(25);

/** Closes the resources once react-router-serve has closed the server, or after a timeout. Tables can be sent again. */
function shutDown() {
  isShuttingDown = true;
  leave("shutting down");
  void openResources().then(() => resources().pageFiles.stopTables());
  const exit = () =>
    closeResources().then(
      () => process.exit(),
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

/** Without PORT, react-router-serve takes another port if 3000 is in use, and addresses in mails and QR codes would lead elsewhere. */
async function refusePortInUse() {
  const probe = createServer().listen(PORT, HOST);
  try {
    await once(probe, "listening");
  } catch (err) {
    log.fatal(startRefusal(err, config()));
    process.exit(1);
  }
  probe.close();
  await once(probe, "close");
}

await refusePortInUse();
await startTracing("web");
await openResources();
opened.resolve();
resources().database.watchSchema(({ message }) => {
  log.fatal(message);
  leave("newer schema");
  process.exitCode = 1;
  process.kill(process.pid, "SIGTERM");
});
// Last, so that the rest of the start has the processor to itself.
resources().pageFiles.keepOne();

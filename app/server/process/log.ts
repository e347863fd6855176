import { format } from "node:util";
import pino from "pino";
import { config, environment } from "#lib/config.ts";
import { misspeltSettings } from "#lib/misspelt-settings.ts";
import { startRefusal } from "#lib/storage/start-refusal.ts";
import { traceId } from "#lib/tracing.ts";
import { requestContext } from "../request/request-context.ts";
import { redact } from "./redact.ts";
import { commit, version } from "./version.ts";

const { warn } = pino.levels.values as { warn: number };

/** The event log: one JSON line each on stderr, with the request's id, user and route, or the job. */
export const log = pino(
  {
    level: config().LOG_LEVEL,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin(_event, level) {
      const current = requestContext();
      if (!current) return {};
      if (level >= warn) current.isLogged = true;
      const { requestId, userId, route, job } = current;
      return { requestId, userId, route, job, traceId: traceId() };
    },
    serializers: { err: (err) => err as unknown },
    formatters: { log: (event) => redact(event) as Record<string, unknown> },
  },
  pino.destination({ dest: 2, sync: true }),
);

export function logStart(role: "server" | "worker") {
  log.info({ version, commit, node: process.versions.node, role }, "Sealdesk starts");
  for (const { given, nearest } of misspeltSettings(environment)) {
    log.warn({ given, nearest }, `there is no setting ${given}: is ${nearest} meant?`);
  }
}

/** Writes a line of the access log, and what must be read whatever LOG_LEVEL says, on stdout. */
export function writeLine(line: object) {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
}

const maxOutput = 4000;

/** Makes events of what libraries write to the console, so that every line is JSON; React Router's command writes nothing at an end. */
export function logConsole() {
  const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;
  for (const [method, level] of Object.entries(levels)) {
    console[method as keyof typeof levels] = (...output: unknown[]) => {
      if (output.length > 0) log[level]({ output: format(...output).slice(0, maxOutput) }, "library output");
    };
  }
}

/** Logs Node's warnings, and what ends the process because nothing caught it. */
export function logUncaughtErrors() {
  process.on("uncaughtException", (err) => {
    const refusal = (err as NodeJS.ErrnoException).syscall === "listen" && startRefusal(err, config());
    if (refusal) process.stderr.write(`${refusal}\n`);
    else log.fatal({ err }, "uncaught exception, exiting");
    process.exit(1);
  });
  process.removeAllListeners("warning");
  process.on("warning", (err) => log.warn({ err }, "Node warning"));
}

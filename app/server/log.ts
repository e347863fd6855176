import pino from "pino";
import { config } from "#config";

/** Events worth an operator's eye: one JSON line each on stderr. The access log is the server's own, on stdout. */
export const log = pino(
  { level: config().LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
  pino.destination({ dest: 2, sync: true }),
);

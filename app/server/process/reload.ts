import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Config, environment, readConfig } from "#lib/config.ts";
import { log } from "./log.ts";

/** Those that Node trusted at its start, with the system's if it does, but for the operator's: those are in the file. */
let atStart: string[] | undefined;

function authoritiesAtStart() {
  const operators = new Set(getCACertificates("extra"));
  return getCACertificates("default").filter((authority) => !operators.has(authority));
}

/** Reads LOG_LEVEL, the operator's key and NODE_EXTRA_CA_CERTS again; the level and the key stay if one can't be read. */
export async function reload(role: "server" | "worker", changeKey?: (settings: Config) => Promise<void>) {
  try {
    const settings = readConfig(environment);
    const { NODE_EXTRA_CA_CERTS } = environment;
    const authorities = NODE_EXTRA_CA_CERTS && readFileSync(NODE_EXTRA_CA_CERTS, "utf8");
    if (authorities) setDefaultCACertificates([...(atStart ??= authoritiesAtStart()), authorities]);
    await changeKey?.(settings);
    log.level = settings.LOG_LEVEL;
    log.info({ role, LOG_LEVEL: settings.LOG_LEVEL }, "settings read again");
  } catch (error) {
    log.error({ role, reason: (error as Error).message }, "settings not read again");
  }
}

import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Config, environment, readConfig } from "#lib/config.ts";
import { log } from "./log.ts";

/** Reads LOG_LEVEL, the operator's key and NODE_EXTRA_CA_CERTS again; what can't be read leaves all as it was. */
export async function reload(role: "server" | "worker", changeKey?: (settings: Config) => Promise<void>) {
  try {
    const settings = readConfig(environment);
    const { NODE_EXTRA_CA_CERTS } = environment;
    const authorities = NODE_EXTRA_CA_CERTS && readFileSync(NODE_EXTRA_CA_CERTS, "utf8");
    await changeKey?.(settings);
    if (authorities) setDefaultCACertificates([...getCACertificates("bundled"), authorities]);
    log.level = settings.LOG_LEVEL;
    log.info({ role, LOG_LEVEL: settings.LOG_LEVEL }, "settings read again");
  } catch (error) {
    log.error({ role, reason: (error as Error).message }, "settings not read again");
  }
}

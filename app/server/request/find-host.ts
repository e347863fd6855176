import { config } from "#lib/config.ts";
import { secondsInMs } from "#lib/units.ts";
import type { ShownHost } from "#provider/contract/shown-host.ts";
import { log } from "../process/log.ts";
import { openResources, resources } from "../process/resources.ts";
import { hostPattern } from "./target.ts";

export const hasCompanyHosts = () => resources().embedded !== undefined;

const maxAgeMs = secondsInMs(1);
let hosts = new Map<string, ShownHost>();
let readAt = -Infinity;
let reading: Promise<void> | undefined;

/** A company's own host by its name: by one query a second at most, whatever hosts strangers make up. */
async function findHost(name: string): Promise<ShownHost | undefined> {
  await openResources();
  const { embedded } = resources();
  if (embedded && performance.now() - readAt > maxAgeMs) {
    reading ??= embedded
      .shownHosts()
      .then(
        (shown) => void (hosts = shown),
        (err: unknown) => log.error({ err }, "companies' hosts could not be read"),
      )
      .finally(() => {
        readAt = performance.now();
        reading = undefined;
      });
    await reading;
  }
  return hosts.get(name);
}

export async function readCompanyHost(header: string): Promise<ShownHost | undefined> {
  const [, name = "", port = ""] = hostPattern.exec(header) ?? [];
  return port === new URL(config().PUBLIC_URL).port ? findHost(name.toLowerCase()) : undefined;
}

/** Proxies ask without the header that they add to the requests of others, who learn nothing. */
export const mayGetCertificate = async ({ headers }: Request, name: string): Promise<boolean> =>
  config().TRUSTED_PROXIES > 0 && !headers.has("x-forwarded-for") && (await findHost(name)) !== undefined;

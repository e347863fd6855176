import { isIP } from "node:net";
import { withEvidence } from "#lib/seal/evidence.ts";
import { requestBytes } from "#lib/seal/request-bytes.ts";
import { timeStamper } from "#lib/seal/time-stamps.ts";
import { mebibytesInBytes, secondsInMs } from "#lib/units.ts";
import { isPublicAddress, publicOnly } from "../http/public-address.ts";
import type { Log, Services } from "../services.ts";

/** A sealed PDF has each whole: larger ones are left out. */
const maxBytes = mebibytesInBytes(0.25);
const timeoutMs = secondsInMs(5);

/** Opens the operator's time-stamp services, with evidence for what they stamp. */
export function openTimeStamps(
  urls: string[],
  log: Log,
  now: Services["now"],
): Pick<Services, "timeStamp" | "evidence"> {
  if (urls.length === 0) return {};
  const hosts = urls.map((url) => new URL(url).hostname);
  return withEvidence({
    timeStamp: timeStamper(urls, {
      onFailure: (err, url) => log.warn({ err, host: new URL(url).host }, "time-stamp service failed"),
    }),
    fetch: {
      ofOperator: (address) => requestBytes(address, { maxBytes, timeoutMs }),
      // Whoever answers in a service's place names these addresses: they lead into no network but the service's own.
      ofStamp: async (address) => {
        const { hostname } = new URL(address);
        if (hosts.includes(hostname)) return requestBytes(address, { maxBytes, timeoutMs });
        const literal = hostname.replace(/^\[(.*)\]$/, "$1");
        if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new Error(`${hostname} is not a public address`);
        return requestBytes(address, { maxBytes, timeoutMs, lookup: publicOnly });
      },
    },
    onMissing: (missing) => log.warn({ missing }, "sealing without long-term evidence"),
    now,
  });
}

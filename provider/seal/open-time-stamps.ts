import { withEvidence } from "#lib/seal/evidence.ts";
import { requestBytes } from "#lib/seal/request-bytes.ts";
import { timeStamper } from "#lib/seal/time-stamps.ts";
import { mebibytesInBytes, secondsInMs } from "#lib/units.ts";
import { AddressRefused, isNameOrPublic, publicOnly } from "../http/public-address.ts";
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
  const origins = urls.map((url) => new URL(url).origin);
  return withEvidence({
    timeStamp: timeStamper(urls, {
      onFailure: (err, url) => log.warn({ err, host: new URL(url).host }, "time-stamp service failed"),
    }),
    fetch: {
      ofOperator: (address, signal) => requestBytes(address, { maxBytes, timeoutMs, signal }),
      // Whoever answers in a service's place names these addresses: in a network, they lead to the service alone.
      ofStamp: async (address, signal) => {
        const url = new URL(address);
        if (origins.includes(url.origin)) return requestBytes(address, { maxBytes, timeoutMs, signal });
        if (!isNameOrPublic(url)) throw new AddressRefused(`${url.host} is not a public address`);
        return requestBytes(address, { maxBytes, timeoutMs, signal, lookup: publicOnly });
      },
    },
    onMissing: (missing, err) => log.warn({ missing, err }, "sealing without long-term evidence"),
    onUnstamped: () => log.warn({}, "sealed without a time stamp"),
    now,
  });
}

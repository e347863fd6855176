import { Resolver } from "node:dns/promises";
import { secondsInMs } from "#lib/units.ts";

/** Looking for the DNS record that proves a host. Answers are hostile: time is limited, and only one record counts. */

/** What DNS says of a host's record. `unanswered`: it can't be told whether there is one. */
export type Found = "present" | "absent" | "unanswered";

export const recordName = (host: string) => `_sealdesk.${host}`;
export const recordValue = (token: string) => `sealdesk-confirm=${token}`;

const tryMs = secondsInMs(2);
const allTriesMs = secondsInMs(8);

/** Without `servers`, those of the machine are asked. */
export async function lookUp({ host, token }: { host: string; token: string }, servers: string[]): Promise<Found> {
  const resolver = new Resolver({ timeout: tryMs, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), allTriesMs);
  try {
    const records = await resolver.resolveTxt(recordName(host));
    return records.some((strings) => strings.join("") === recordValue(token)) ? "present" : "absent";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOTFOUND" || code === "ENODATA" ? "absent" : "unanswered";
  } finally {
    clearTimeout(timer);
  }
}

import { LRUCache } from "lru-cache";
import { findIana } from "windows-iana";
import { log } from "../process/log.ts";

const ownZone = "Europe/London";

/** `unknown`: the name as sent, if it is no time zone and `zone` is in its place. */
export type ReadZone = { zone: string; unknown?: string };

/** The IANA time zone that a provider means: by its name there or on Windows (Unicode CLDR). */
export const zoneOf = (name = ""): ReadZone => zones.memo(name.trim());

const zones = new LRUCache<string, ReadZone>({
  max: 500,
  memoMethod: (name) => {
    const zone = [name, ...findIana(name)].find(isZone);
    if (zone || !name) return { zone: zone ?? ownZone };
    const unknown = name.slice(0, 60).toWellFormed();
    log.warn({ zone: unknown }, "time zone of the provider unknown");
    return { zone: ownZone, unknown };
  },
});

function isZone(name: string) {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

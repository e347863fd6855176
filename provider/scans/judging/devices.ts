import { ago } from "../../calendar/calendar.ts";

type Scan = { id: number; at: string; address_hash: string };

/** A copy's newest devices, which reveal a burst. */
const maxDevices = 100;

/**
 * For each of some scans the newest scan by each device in the time before it, its own first: reloading is no burst. `all`
 * has these scans and those before them; both are in the order of their ids.
 */
export function devicesBehind<Judged extends Scan>(scans: Judged[], all: Scan[], windowMs: number) {
  const newest = new Map<string, Scan>();
  let next = 0;
  return scans.map((scan) => {
    for (; next < all.length && all[next]!.id <= scan.id; next++) {
      const { address_hash } = all[next]!;
      // Moves it behind the others, so that the map stays in the order of ids.
      newest.delete(address_hash);
      newest.set(address_hash, all[next]!);
    }
    const since = ago(new Date(scan.at), windowMs);
    for (const [device, { at }] of newest) {
      if (at > since) break;
      newest.delete(device);
    }
    const devices = [...newest.values()].slice(-maxDevices).map(({ id }) => id);
    return { scan, devices: devices.toReversed() };
  });
}

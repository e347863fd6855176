import { sql } from "kysely";
import { secondsInMs } from "#lib/units.ts";
import { fail, ok, type StoresCheck, warn } from "./finding.ts";
import type { Reply } from "./public-address.ts";

/** One-time codes are valid for 30 s, and leases of jobs for a minute. */
const [warnMs, failMs] = [secondsInMs(3), secondsInMs(20)];

const advice = "Let an NTP client set the clocks of all machines.";

/** Compares this machine's clock with those of the database and of what answers at PUBLIC_URL. */
export const clockCheck =
  (reply: Reply | undefined): StoresCheck =>
  async ({ database }) => {
    const ahead: Record<string, number> = {};
    if (database.isShared) {
      const before = Date.now();
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.tables());
      ahead.database = new Date(rows[0]!.now).getTime() - (before + Date.now()) / 2;
    }
    if (reply?.aheadMs !== undefined) ahead.PUBLIC_URL = reply.aheadMs;
    const differences = Object.entries(ahead);
    if (differences.length === 0) return undefined;
    const largestMs = Math.max(...differences.map(([, ms]) => Math.abs(ms)));
    const seconds = (ms: number) => (ms / secondsInMs(1)).toFixed(1);
    const detail = differences.map(([name, ms]) => `${name} ${seconds(ms)} s ahead`).join(", ");
    if (largestMs > failMs) return fail(detail, advice);
    return largestMs > warnMs ? warn(detail, advice) : ok(`clocks differ by ${seconds(largestMs)} s at most`);
  };

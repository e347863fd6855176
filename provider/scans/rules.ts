import { hoursInMs, minutesInMs } from "#units";
import type { AlertType } from "../contract/alerts.ts";
import { dayMonthYear } from "../calendar.ts";
import { distance, type Position } from "./distance.ts";

/** What raises alerts: each rule looks at what it is given, and says why in a sentence that is shown on the alert. */

export type Finding = { rule: string; alert: AlertType; reason: string };

/** A scan whose place is known; `at` is an instant. */
export type LocatedScan = Position & { at: string };

/** Faster than any airliner. */
const maxKmPerHour = 900;
/** Nearer places are not compared: positions and clocks are not that good. Kilometres. */
const minDistanceKm = 50;
/** At the limit's speed, nowhere on earth is further away. */
export const travelWindowMs = hoursInMs(24);

/** The same code at two places that nobody travels between in the time: there are two papers. */
export function impossibleTravel<Other extends LocatedScan>(
  scan: LocatedScan,
  others: Other[],
): (Finding & { other: Other }) | undefined {
  for (const other of others) {
    const apart = distance(scan, other) - (scan.accuracy + other.accuracy) / 1000;
    const between = Math.abs(Date.parse(scan.at) - Date.parse(other.at));
    if (apart < minDistanceKm || apart <= (maxKmPerHour * between) / hoursInMs(1)) continue;
    const reason = `Scanned ${inMinutes(between)} at places ${Math.round(apart)} km apart: nobody travels that fast.`;
    return { rule: "travel", alert: "Fake scan", reason, other };
  }
  return undefined;
}

function inMinutes(ms: number) {
  const count = Math.round(ms / minutesInMs(1));
  if (count === 0) return "at the same time";
  return `within ${count === 1 ? "a minute" : `${count} minutes`}`;
}

/** From how many addresses one code is scanned, in how many minutes, where there is more than one paper about. */
export const burst = { devices: 20, minutes: 10 };

/** A flood of scans: the code has been copied to many, or a machine is trying it. */
export function burstOfScans(devices: number): Finding | undefined {
  if (devices < burst.devices) return undefined;
  const reason = `Scanned by ${burst.devices} devices or more within ${burst.minutes} minutes.`;
  return { rule: "burst", alert: "Burst of scans", reason };
}

type Ended = { reason: "exited" | "archived" | "expired"; since: string };

/** A document is shown to somebody although it is no longer in force. `since` is a date. */
export function endedScan({ reason, since }: Ended): Finding {
  const on = dayMonthYear(since);
  if (reason === "expired") {
    const sentence = `Scanned after it had expired on ${on}.`;
    return { rule: "expired", alert: "Expired document scanned", reason: sentence };
  }
  const became = reason === "exited" ? "withdrawn" : "put into the archive";
  const sentence = `Scanned after it had been ${became} on ${on}.`;
  return { rule: "withdrawn", alert: "Withdrawn document scanned", reason: sentence };
}

/** A paper that bears a true number beside a code that nobody issued. */
export const forgedCode: Finding = {
  rule: "forged",
  alert: "Fake scan",
  reason: "Somebody typed a code that was never issued, from a paper that bears this document’s number.",
};

/** What somebody who scanned the code reports. */
export const complaint = (text: string): Finding => ({ rule: "complaint", alert: "Complaint", reason: `“${text}”` });

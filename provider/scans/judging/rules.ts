import { hoursInMs, minutesInMs } from "#lib/units.ts";
import type { FixedRule, RuleName } from "../../contract/alert-thresholds.ts";
import type { AlertType } from "../../contract/alerts.ts";
import type { Signature, SignatureVerdict } from "../../contract/signatures.ts";
import { addDays, dayMonthYear } from "../../calendar/calendar.ts";
import { defaultRules, type Rule } from "../../alerts/rules/rules.ts";
import { distance, type Position } from "./distance.ts";
import type { Ended, WithdrawnCopy } from "../validity.ts";

/** The rules that raise alerts. Each gives its reason in a sentence that the alert shows. */

export type Finding = { rule: RuleName | FixedRule; alert: AlertType; reason: string };

/** A scan with a position; `at` is an instant. */
export type LocatedScan = Position & { at: string };

/** At the default speed every place on earth is within reach in that time. */
export const travelWindowMs = hoursInMs(24);

/** Two scans of a copy too far apart for the time between them: there are two papers with its code. */
export function impossibleTravel<Other extends LocatedScan>(
  scan: LocatedScan,
  others: Other[],
  { enabled, max_km_per_hour, min_km }: Rule<"travel"> = defaultRules.travel,
): (Finding & { other: Other }) | undefined {
  if (!enabled) return undefined;
  for (const other of others) {
    const apart = distance(scan, other) - (scan.accuracy + other.accuracy) / 1000;
    const between = Math.abs(Date.parse(scan.at) - Date.parse(other.at));
    if (apart < min_km || apart <= (max_km_per_hour * between) / hoursInMs(1)) continue;
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

/** Scans by many devices in a short time: the code was copied, or a program tries it. */
export function burstOfScans(devices: number, burst: Rule<"burst"> = defaultRules.burst): Finding | undefined {
  if (!burst.enabled || devices < burst.devices) return undefined;
  const reason = `Scanned by ${burst.devices} devices or more within ${burst.minutes} minutes.`;
  return { rule: "burst", alert: "Burst of scans", reason };
}

/** Whether a rule leaves out a scan on a day, or on any, which is too early after the end of the document or copy. */
export const isLeftOut = ({ enabled, grace_days }: Rule<"expired">, firstDay: string, day: string) =>
  !enabled || (grace_days > 0 && day < addDays(firstDay, grace_days));

/** The first day on which a document was not in force. */
export const firstDayEnded = ({ reason, since }: Ended) => (reason === "expired" ? addDays(since, 1) : since);

/** The rule about documents that ended so. */
export const ruleOfEnd = ({ reason }: Pick<Ended, "reason">) => (reason === "expired" ? "expired" : "withdrawn");

/** A scan of a document that is no longer in force. */
export function endedScan({ reason, since }: Ended): Finding {
  const on = dayMonthYear(since);
  if (reason === "expired") {
    const sentence = `Scanned after it had expired on ${on}.`;
    return { rule: "expired", alert: "Expired document scanned", reason: sentence };
  }
  const sentence = `Scanned after it had been withdrawn on ${on}.`;
  return { rule: "withdrawn", alert: "Withdrawn document scanned", reason: sentence };
}

const withdrawnAs = { lost: " as lost", destroyed: " as destroyed", other: "" };

/** A scan of a copy that was withdrawn alone. */
export function withdrawnCopyScan(
  { copy, copies }: { copy: number; copies: number },
  { reason, since }: WithdrawnCopy,
): Finding {
  const withdrawn = `after it had been withdrawn${withdrawnAs[reason]} on ${dayMonthYear(since)}`;
  const sentence = `Copy ${copy} of ${copies} was scanned ${withdrawn}.`;
  return { rule: "withdrawn copy", alert: "Withdrawn copy scanned", reason: sentence };
}

/** An unissued code beside a real document number. */
export const forgedCode: Finding = {
  rule: "forged",
  alert: "Fake scan",
  reason: "A code that was never issued was typed from a paper with this document’s number.",
};

/** A genuine code, typed or scanned with the number of another paper. */
export const otherPaper = (typed: string): Finding => ({
  rule: "other paper",
  alert: "Fake scan",
  reason: `Checked for a paper with the number “${typed}”, which is not this document’s: its code may have been copied.`,
});

const alterations: { [verdict in SignatureVerdict]?: (revoked: string) => string } = {
  altered: () => "its signature is wrong, so its digits were changed or copied from another code",
  "unknown key": () => "it is signed with a key that is not ours",
  "revoked key": (revoked) => `it is signed with a key that was revoked on ${dayMonthYear(revoked)}`,
};

/** A code whose signature is not ours, or no longer, although the code itself was issued. */
export function alteredCode({ verdict, revoked }: Pick<Signature, "verdict" | "revoked">): Finding | undefined {
  const because = alterations[verdict]?.(revoked);
  return because
    ? { rule: "altered code", alert: "Fake scan", reason: `Scanned from a paper whose code was altered: ${because}.` }
    : undefined;
}

/** The part of the verdict that a scan shows beside the record. */
type ShownOfScan = { verdict: string; signature: SignatureVerdict | "" };

/** A scanner's report, and whether the scan had shown that the paper does not match. */
export function complaint(text: string, { verdict, signature }: ShownOfScan): Finding {
  const of = [
    verdict === "other paper" && "whose number is not this document’s",
    signature && alterations[signature] && "whose code was altered",
  ].filter(Boolean);
  const reason = of.length > 0 ? `Of a paper ${of.join(" and ")}: “${text}”` : `“${text}”`;
  return { rule: "complaint", alert: "Complaint", reason };
}

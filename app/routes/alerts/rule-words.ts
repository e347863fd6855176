import { type RuleName, thresholdsOf } from "#provider/contract/alert-thresholds.ts";

/** Rules of alerts in plain words. */

type RuleWords = {
  /** What raises an alert. */
  effect: string;
  /** The thresholds in a sentence. */
  summary(thresholds: Record<string, number>): string;
  /** What a preview can't know. */
  unknown: string;
};

type ThresholdWords = { label: string; hint: string };

const days = (count = 0) => `${count} ${count === 1 ? "day" : "days"}`;

const graceDays = (ended: string): ThresholdWords => ({
  label: "Days without an alert",
  hint: `Scans on the first days after ${ended} raise none; 0 for an alert from the first day on`,
});

const datesOfNow = "It goes by the dates that documents have now: those that were changed since count as they are.";

export const ruleWords: Record<RuleName, RuleWords> = {
  travel: {
    effect:
      "Two scans of one paper are too far apart for the time between them, so there are two papers with its code.",
    summary: ({ max_km_per_hour, min_km }) => `Faster than ${max_km_per_hour} km/h, and ${min_km} km apart or more`,
    unknown: "Places that were removed since are not compared.",
  },
  burst: {
    effect: "Many devices scan one paper in a short time, so its code was copied, or a program tries it.",
    summary: ({ devices, minutes }) => `${devices} devices or more within ${minutes} minutes`,
    unknown:
      "Devices can be distinguished within a day only, so one that scans before and after midnight UTC counts twice.",
  },
  expired: {
    effect: "A document is scanned after its expire date.",
    summary: ({ grace_days }) => (grace_days === 0 ? "From the first day on" : `After ${days(grace_days)}`),
    unknown: datesOfNow,
  },
  withdrawn: {
    effect: "A document is scanned after it was withdrawn.",
    summary: ({ grace_days }) => (grace_days === 0 ? "From the first day on" : `After ${days(grace_days)}`),
    unknown: datesOfNow,
  },
  "withdrawn copy": {
    effect: "A copy is scanned that was withdrawn alone, as lost or destroyed for example.",
    summary: ({ grace_days }) => (grace_days === 0 ? "From the first day on" : `After ${days(grace_days)}`),
    unknown: datesOfNow,
  },
};

const ended: Partial<Record<RuleName, string>> = {
  expired: "the expire date",
  withdrawn: "the withdrawal",
  "withdrawn copy": "the copy’s withdrawal",
};

const thresholdWords: Record<string, ThresholdWords> = {
  max_km_per_hour: {
    label: "Speed in kilometres an hour",
    hint: "The fastest that a paper travels; airliners reach 900",
  },
  min_km: {
    label: "Distance in kilometres",
    hint: "Places that are nearer raise none, because positions are not exact",
  },
  devices: { label: "Devices", hint: "This many different devices or more" },
  minutes: { label: "Minutes", hint: "Within this time" },
};

/** The fields of a rule's form, with the numbers that each takes. */
export const fieldsOf = (rule: RuleName) =>
  thresholdsOf(rule).map(([name, { min, max }]) => {
    const { label, hint } = thresholdWords[name] ?? graceDays(ended[rule]!);
    return { name, label, hint: `${hint}. From ${min} to ${max.toLocaleString("en-GB")}` };
  });

/** Rules without thresholds, which stay on. */
export const fixedRules = [
  ["Complaint", "A visitor reports a problem."],
  ["Code that was never issued", "It was typed from a paper that has the number of one of your documents."],
  ["Another paper’s number", "A genuine code was checked for a paper with another number."],
  ["Altered code", "The signature in a code is wrong, or made with a key that is not yours or was revoked."],
] as const;

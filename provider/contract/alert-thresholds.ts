/** The rules of alerts that a company can set, with their thresholds. Without zod, which would make pages large. */

export type Threshold = { default: number; min: number; max: number };

const graceDays = { grace_days: { default: 0, min: 0, max: 365 } };

/** By the name that alerts are stored with. */
export const alertRules = {
  // Faster than any airliner; positions and clocks are too inexact for shorter distances.
  travel: {
    max_km_per_hour: { default: 900, min: 100, max: 5000 },
    min_km: { default: 50, min: 10, max: 20_000 },
  },
  // More devices than one paper attracts. A copy's newest hundred are counted.
  burst: { devices: { default: 20, min: 2, max: 100 }, minutes: { default: 10, min: 1, max: 120 } },
  expired: graceDays,
  withdrawn: graceDays,
  "withdrawn copy": graceDays,
} as const satisfies Record<string, Record<string, Threshold>>;

export type RuleName = keyof typeof alertRules;
type NameIn<Thresholds> = Thresholds extends unknown ? keyof Thresholds : never;
export type ThresholdName = NameIn<(typeof alertRules)[RuleName]>;
/** Rules without thresholds, which stay on. */
export type FixedRule = "complaint" | "forged" | "other paper" | "altered code";
export const ruleNames = Object.keys(alertRules) as RuleName[];

/** Their names on pages and in the audit trail. */
export const ruleTitles: Record<RuleName, string> = {
  travel: "Impossible travel",
  burst: "Burst of scans",
  expired: "Expired document scanned",
  withdrawn: "Withdrawn document scanned",
  "withdrawn copy": "Withdrawn copy scanned",
};

/** The thresholds of a rule with their bounds. */
export const thresholdsOf = (rule: RuleName): [name: string, bounds: Threshold][] => Object.entries(alertRules[rule]);

/** `withdrawn copy` as `withdrawn-copy`. */
export const inPath = (rule: RuleName) => rule.replaceAll(" ", "-");

/** The rule of a path. */
export const ruleOf = ({ rule }: { rule: string }) => rule.replaceAll("-", " ") as RuleName;

/** How far back rules are previewed. */
export const previewDays = 30;
/** The most scans that are replayed. */
export const maxReplayed = 50_000;
export const maxExamples = 20;

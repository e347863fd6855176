import { say } from "#messages/staff.ts";
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
  label: say("alerts.ruleWords.daysWithoutAnAlert"),
  hint: say("alerts.ruleWords.scansOnTheFirst", { ended }),
});

const datesOfNow = say("alerts.ruleWords.itGoesByThe");

export const ruleWords: Record<RuleName, RuleWords> = {
  travel: {
    effect: say("alerts.ruleWords.twoScansOfOne"),
    summary: ({ max_km_per_hour = 0, min_km = 0 }) =>
      say("alerts.ruleWords.fasterThanMaxKm", { max_km_per_hour, min_km }),
    unknown: say("alerts.ruleWords.placesThatWereRemoved"),
  },
  burst: {
    effect: say("alerts.ruleWords.manyDevicesScanOne"),
    summary: ({ devices, minutes }) => `${devices} devices or more within ${minutes} minutes`,
    unknown: say("alerts.ruleWords.devicesCanBeDistinguished"),
  },
  expired: {
    effect: say("alerts.ruleWords.aDocumentIsScanned"),
    summary: ({ grace_days }) => (grace_days === 0 ? say("common.fromTheFirstDayOn") : `After ${days(grace_days)}`),
    unknown: datesOfNow,
  },
  withdrawn: {
    effect: say("alerts.ruleWords.aDocumentIsScannedAfter"),
    summary: ({ grace_days }) => (grace_days === 0 ? say("common.fromTheFirstDayOn") : `After ${days(grace_days)}`),
    unknown: datesOfNow,
  },
  "withdrawn copy": {
    effect: say("alerts.ruleWords.aCopyIsScanned"),
    summary: ({ grace_days }) => (grace_days === 0 ? say("common.fromTheFirstDayOn") : `After ${days(grace_days)}`),
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
    label: say("alerts.ruleWords.speedInKilometresAn"),
    hint: say("alerts.ruleWords.theFastestThatA"),
  },
  min_km: {
    label: say("alerts.ruleWords.distanceInKilometres"),
    hint: say("alerts.ruleWords.placesThatAreNearer"),
  },
  devices: { label: say("alerts.ruleWords.devices"), hint: say("alerts.ruleWords.thisManyDifferentDevices") },
  minutes: { label: say("alerts.ruleWords.minutes"), hint: say("alerts.ruleWords.withinThisTime") },
};

/** The fields of a rule's form, with the numbers that each takes. */
export const fieldsOf = (rule: RuleName) =>
  thresholdsOf(rule).map(([name, { min, max }]) => {
    const { label, hint } = thresholdWords[name] ?? graceDays(ended[rule]!);
    return { name, label, hint: `${hint}. From ${min} to ${max.toLocaleString("en-GB")}` };
  });

/** Rules without thresholds, which stay on. */
export const fixedRules = [
  [say("alerts.ruleWords.complaint"), say("alerts.ruleWords.aVisitorReportsA")],
  [say("alerts.ruleWords.codeThatWasNever"), say("alerts.ruleWords.itWasTypedFrom")],
  [say("alerts.ruleWords.anotherPapersNumber"), say("alerts.ruleWords.aGenuineCodeWas")],
  [say("alerts.ruleWords.alteredCode"), say("alerts.ruleWords.theSignatureInA")],
] as const;

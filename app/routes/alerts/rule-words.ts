import { t } from "#lib/messages/staff.ts";
import { alertRules, type FixedRule, type RuleName, type ThresholdName } from "#provider/contract/alert-thresholds.ts";
import type { AlertType } from "#provider/contract/alerts.ts";
import { alertWords as wordsOfTypes } from "../../components/scan/alert-words.ts";
import { capital, entryOf } from "../../components/text/format.ts";

/** Rules of alerts in plain words. */

/** A type without words does not compile. */
const alertWords: Record<AlertType, string> = wordsOfTypes;

type RuleWords = {
  title: string;
  /** What raises an alert. */
  effect: string;
  /** The thresholds in a sentence. */
  summary(thresholds: Record<string, number>): string;
  /** What a preview can't know. */
  unknown: string;
};

type ThresholdWords = { label: string; hint: string };

const afterDays = ({ grace_days: days = 0 }: Record<string, number>) =>
  days === 0 ? t("common.fromTheFirstDayOn") : t("alerts.ruleWords.afterDays", { days });

const graceDays = (rule: RuleName): ThresholdWords => ({
  label: t("alerts.ruleWords.daysWithoutAnAlert"),
  hint: t("alerts.ruleWords.graceHint", { rule }),
});

const datesOfNow = t("alerts.ruleWords.goesByPresentDates");

const ruleWords: Record<RuleName, RuleWords> = {
  travel: {
    title: t("alerts.ruleWords.impossibleTravel"),
    effect: t("alerts.ruleWords.travelEffect"),
    summary: ({ max_km_per_hour = 0, min_km = 0 }) => t("alerts.ruleWords.fasterAndApart", { max_km_per_hour, min_km }),
    unknown: t("alerts.ruleWords.travelUnknown"),
  },
  burst: {
    title: alertWords["Burst of scans"],
    effect: t("alerts.ruleWords.burstEffect"),
    summary: ({ devices = 0, minutes = 0 }) => t("alerts.ruleWords.devicesWithin", { devices, minutes }),
    unknown: t("alerts.ruleWords.burstUnknown"),
  },
  expired: {
    title: alertWords["Expired document scanned"],
    effect: t("alerts.ruleWords.expiredEffect"),
    summary: afterDays,
    unknown: datesOfNow,
  },
  withdrawn: {
    title: alertWords["Withdrawn document scanned"],
    effect: t("alerts.ruleWords.withdrawnEffect"),
    summary: afterDays,
    unknown: datesOfNow,
  },
  "withdrawn copy": {
    title: alertWords["Withdrawn copy scanned"],
    effect: t("alerts.ruleWords.withdrawnCopyEffect"),
    summary: afterDays,
    unknown: datesOfNow,
  },
};

/** The words of a rule; another provider's own one is called by its name. */
export const wordsOfRule = (rule: string): RuleWords =>
  entryOf(ruleWords, rule) ?? { title: capital(rule), effect: "", summary: () => "", unknown: "" };

const thresholdWords: Record<Exclude<ThresholdName, "grace_days">, ThresholdWords> = {
  max_km_per_hour: {
    label: t("alerts.ruleWords.speed"),
    hint: t("alerts.ruleWords.speedHint"),
  },
  min_km: {
    label: t("alerts.ruleWords.distance"),
    hint: t("alerts.ruleWords.distanceHint"),
  },
  devices: { label: t("alerts.ruleWords.devices"), hint: t("alerts.ruleWords.devicesHint") },
  minutes: { label: t("alerts.ruleWords.minutes"), hint: t("alerts.ruleWords.minutesHint") },
};

/** The fields of a rule's form, with the numbers that each takes. */
export const fieldsOf = (rule: RuleName) =>
  Object.entries(entryOf(alertRules, rule) ?? {}).map(([name, { min, max }]) => {
    const { label, hint } = entryOf(thresholdWords, name) ?? graceDays(rule);
    return { name, label, hint, min, max };
  });

export const fixedRules: Record<FixedRule, Pick<RuleWords, "title" | "effect">> = {
  complaint: { title: alertWords.Complaint, effect: t("alerts.ruleWords.complaintEffect") },
  forged: { title: t("alerts.ruleWords.neverIssued"), effect: t("alerts.ruleWords.neverIssuedEffect") },
  "other paper": {
    title: t("alerts.ruleWords.anotherPapersNumber"),
    effect: t("alerts.ruleWords.anotherPapersNumberEffect"),
  },
  "altered code": { title: t("common.alteredCode"), effect: t("alerts.ruleWords.alteredCodeEffect") },
};

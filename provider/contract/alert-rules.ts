import { z } from "zod";
import {
  alertRules,
  inPath,
  maxExamples,
  maxReplayed,
  previewDays,
  ruleNames,
  type Threshold,
  type ThresholdName,
} from "./alert-thresholds.ts";
import { call } from "./call.ts";
import { flag, version } from "./fields.ts";

/** The calls about the rules of alerts that a company can set. */

/** The counted thing, for refusals. */
const counted: Record<ThresholdName, string> = {
  max_km_per_hour: "the speed in kilometres an hour",
  min_km: "the distance in kilometres",
  devices: "how many devices",
  minutes: "how many minutes",
  grace_days: "how many days",
};

function threshold(name: ThresholdName, { min, max }: Threshold, description: string) {
  const refusal = `Enter ${counted[name]}, from ${min} to ${max}`;
  const digits = z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, refusal);
  const number = z.coerce.number<string | number>().min(min, refusal).max(max, refusal);
  return z
    .union([z.int(refusal), digits], refusal)
    .pipe(number)
    .optional()
    .meta({ type: "integer", description: `${description}; the default if omitted` });
}

const { travel, burst, expired } = alertRules;

/** Of all rules together; those of other rules are ignored. */
const thresholds = {
  max_km_per_hour: threshold("max_km_per_hour", travel.max_km_per_hour, "Of travel: the fastest that papers travel"),
  min_km: threshold("min_km", travel.min_km, "Of travel: nearer places are never too far apart"),
  devices: threshold("devices", burst.devices, "Of burst: this many devices or more"),
  minutes: threshold("minutes", burst.minutes, "Of burst: within this time"),
  grace_days: threshold(
    "grace_days",
    expired.grace_days,
    "Of expired, withdrawn and withdrawn-copy: days after the end on which scans raise no alert",
  ),
} satisfies Record<ThresholdName, z.ZodType>;

const count = z.record(z.string(), z.int());

export const AlertRule = z
  .object({
    rule: z.string().meta({ description: "As in the path" }),
    enabled: z.boolean().meta({ description: "Whether it raises alerts" }),
    thresholds: count.meta({ description: "By name" }),
    defaults: count.meta({ description: "Of an installation, by name; a rule is on by default" }),
    version: z.int().default(1),
  })
  .meta({ id: "AlertRule", description: "A rule that raises alerts, as the company has it" });
export type AlertRule = z.output<typeof AlertRule>;

const ruleParams = z.object({
  rule: z.enum(ruleNames.map(inPath)).meta({ description: `One of ${ruleNames.map(inPath).join(", ")}` }),
});

const access = { area: "alerts", right: "write" } as const;

export const listAlertRules = call({
  method: "GET",
  path: "/alert-rules",
  summary: "The rules whose thresholds the company sets; for users who may write all its alerts",
  access,
  reply: z.array(AlertRule),
  status: 200,
});

export const updateAlertRule = call({
  method: "PUT",
  path: "/alert-rules/{rule}",
  summary: "Set a rule; what is omitted gets its default, but enabled is on only if it is given",
  access,
  params: ruleParams,
  body: z.object({ enabled: flag, ...thresholds, version: version.optional() }),
  reply: AlertRule,
  status: 200,
  refusals: [409],
});

export const RulePreview = z
  .object({
    since: z.string().meta({ description: "The first day, YYYY-MM-DD in the company's time zone" }),
    until: z.string().meta({ description: "The last day" }),
    scans: z.int().meta({ description: "How many scans were replayed" }),
    is_partial: z
      .boolean()
      .meta({ description: `Whether the time is shorter than ${previewDays} days, as there were too many scans` }),
    raised: z.int().meta({ description: "Alerts that the rule raised in that time" }),
    would_raise: z.int().meta({ description: "Alerts that it would have raised with these thresholds" }),
    examples: z
      .array(
        z.object({
          document_id: z.int(),
          document: z.string().meta({ description: "Its name" }),
          copy: z.int().nullable(),
          day: z.string(),
          is_new: z.boolean().meta({ description: "Whether the rule raised none then" }),
        }),
      )
      .meta({ description: `The newest of those it would have raised, up to ${maxExamples}` }),
  })
  .meta({
    id: "RulePreview",
    description: "What a rule would have raised, of documents whose alerts the user may see",
  });
export type RulePreview = z.output<typeof RulePreview>;

export const previewAlertRule = call({
  method: "GET",
  path: "/alert-rules/{rule}/preview",
  summary: `How many alerts a rule would have raised in the last ${previewDays} days, from the newest ${maxReplayed} scans`,
  access,
  params: ruleParams,
  query: z.object(thresholds),
  reply: RulePreview,
  status: 200,
  refusals: [422, 429, 503],
});

/** Fields of rules in the audit trail. */
export const ruleFields = new Set(["enabled", ...Object.keys(thresholds)]);

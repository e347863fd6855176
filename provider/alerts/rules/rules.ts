import { alertRules, type RuleName, ruleNames, thresholdsOf } from "../../contract/alert-thresholds.ts";

/** The rules of alerts as companies have them. */

export type Rule<Name extends RuleName> = { enabled: boolean } & Record<
  keyof (typeof alertRules)[Name] & string,
  number
>;
export type Rules = { [Name in RuleName]: Rule<Name> };

type StoredRule = { enabled: boolean; thresholds: Record<string, number>; version: number };

/** The JSON of `companies.alert_rules`: rules that were ever set. */
export type StoredRules = Partial<Record<RuleName, StoredRule>>;

export const defaultsOf = (rule: RuleName): Record<string, number> =>
  Object.fromEntries(thresholdsOf(rule).map(([name, bounds]) => [name, bounds.default]));

export const parseRules = (stored: string | null): StoredRules =>
  stored === null ? {} : (JSON.parse(stored) as StoredRules);

/** A company's rule, with the thresholds that a newer version added. */
export function ruleFrom<Name extends RuleName>(rules: StoredRules, name: Name): Rule<Name> {
  const { enabled = true, thresholds } = rules[name] ?? {};
  return { ...defaultsOf(name), ...thresholds, enabled } as Rule<Name>;
}

/** A company's rules, from its row. */
export function rulesOf({ alert_rules }: { alert_rules: string | null }): Rules {
  if (alert_rules === null) return defaultRules;
  const stored = parseRules(alert_rules);
  return Object.fromEntries(ruleNames.map((name) => [name, ruleFrom(stored, name)])) as Rules;
}

export const defaultRules = Object.fromEntries(ruleNames.map((name) => [name, ruleFrom({}, name)])) as Rules;

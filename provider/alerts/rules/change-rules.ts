import type { z } from "zod";
import { type Actor, type Caller, scopeOf } from "../../access.ts";
import type { AlertRule, updateAlertRule } from "../../contract/alert-rules.ts";
import { inPath, type RuleName, ruleNames, ruleTitles, thresholdsOf } from "../../contract/alert-thresholds.ts";
import { audit, staleConflict } from "../../audit/audit-queries.ts";
import type { Db } from "../../db/tables.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { forbidden } from "../../http/errors.ts";
import type { Services } from "../../services.ts";
import { defaultsOf, parseRules, ruleFrom, type StoredRules } from "./rules.ts";

/** A company's rules of alerts, which users set who may write all alerts of it. */

/** Throws 403 unless the actor may write alerts in the whole company, which a rule is about. */
export function requireCompanyScope(actor: Actor) {
  if (scopeOf(actor, "alerts", "write") !== "company") throw forbidden();
}

/** As ids of the records of an audit trail. */
const idOf = (rule: RuleName) => ruleNames.indexOf(rule) + 1;

export async function storedRules(db: Db, companyId: number): Promise<StoredRules> {
  const company = db.selectFrom("companies").where("id", "=", companyId).select("alert_rules");
  return parseRules((await company.executeTakeFirstOrThrow()).alert_rules);
}

/** A rule in the contract's form. */
export function asAlertRule(stored: StoredRules, name: RuleName): z.input<typeof AlertRule> {
  const { enabled, ...thresholds } = ruleFrom(stored, name);
  return {
    rule: inPath(name),
    enabled,
    thresholds: thresholds as Record<string, number>,
    defaults: defaultsOf(name),
    version: stored[name]?.version ?? 1,
  };
}

/** The thresholds of a rule from the input, with the defaults of missing ones. */
export const thresholdsFrom = (rule: RuleName, input: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(thresholdsOf(rule).map(([name, bounds]) => [name, Number(input[name] ?? bounds.default)]));

/** Sets a rule, in a transaction with its audit entry. Throws 403, and 409 for an outdated version. */
export const changeRule = (
  services: Services,
  caller: Caller,
  rule: RuleName,
  { enabled, version, ...input }: z.output<typeof updateAlertRule.body>,
) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    requireCompanyScope(actor);
    const stored = await storedRules(transaction, actor.company_id);
    const before = { version: 1, ...stored[rule] };
    if (version !== undefined && version !== before.version) {
      throw await staleConflict(transaction, actor, "alert rule", idOf(rule));
    }
    const thresholds = thresholdsFrom(rule, input);
    const changed: StoredRules = { ...stored, [rule]: { enabled, thresholds, version: before.version + 1 } };
    const update = transaction.updateTable("companies").set({ alert_rules: JSON.stringify(changed) });
    await update.where("id", "=", actor.company_id).execute();
    await audit(transaction, {
      actor,
      action: "changed",
      subject: { entity: "alert rule", id: idOf(rule), name: ruleTitles[rule] },
      at: services.now(),
      before: ruleFrom(stored, rule),
      after: { ...thresholds, enabled },
    });
  });
